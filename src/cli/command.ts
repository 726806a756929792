import { type Command, InvalidArgumentError } from 'commander'
import { type IdKind, readId, showId } from '../platform/ids.ts'
import { describe, type ListView, toJson } from './output/describe.ts'
import { whileWaiting } from './output/waiting.ts'

/** What a command cannot do and a person can mend: its message is the one line that is printed. */
export class CommandError extends Error {}

/** An id as people have it, in its inner form. */
export const idArgument = (kind: IdKind) => (text: string) => {
  const id = readId(kind, text)
  if (!id)
    throw new InvalidArgumentError(
      `"${text}" is not an id like ${showId(kind, '00000000-0000-0000-0000-000000000000').slice(0, 4)}….`,
    )
  return id
}

/** A day, `2026-11-20`. */
export function dayArgument(text: string): string {
  const isDay = /^2\d{3}-\d\d-\d\d$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text)
  if (!isDay) throw new InvalidArgumentError('must be a day like 2026-11-20.')
  return text
}

export const jsonOption = ['--json', 'print one JSON object, with the API’s names and numbers'] as const

/** How what a command returns is shown, and what is asked on a terminal before it is done. */
export type Printing<Args extends unknown[]> = {
  list?: ListView
  confirm?(...args: Args): string
}

/** A command that prints what `work` returns: as lines or a table for people, or as one JSON object. */
export function printing<Args extends unknown[]>(
  command: Command,
  work: (...args: Args) => Promise<object>,
  { list, confirm }: Printing<Args> = {},
): Command {
  if (confirm) command.option('--yes', 'do not ask first (without a terminal nothing is asked)')
  return command.option(...jsonOption).action(async (...args: Args) => {
    const { json, yes } = command.opts()
    if (confirm && !yes) await askFirst(confirm(...args))
    const result = await whileWaiting(() => work(...args))
    process.stdout.write(json ? `${toJson(result)}\n` : describe(result, list, process.stdout, new Date()))
  })
}

/** Asks where somebody is there to say no. A program is not asked: it means what it says. */
async function askFirst(question: string): Promise<void> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return
  const { createInterface } = await import('node:readline/promises')
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const isStopped = Promise.withResolvers<string>()
  terminal.once('SIGINT', () => isStopped.resolve(''))
  terminal.once('close', () => isStopped.resolve(''))
  const answer = await Promise.race([terminal.question(`${question} [y/N] `), isStopped.promise])
  terminal.close()
  if (!/^y(es)?$/i.test(answer.trim())) throw new CommandError('Nothing was done.')
}
