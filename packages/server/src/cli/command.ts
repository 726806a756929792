import { isSupportedCurrency, maxAmount } from '@pesewa/values'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { type IdKind, readId, showId } from '../platform/ids.ts'
import { environments } from '../platform/scope.ts'
import { spaceIds } from '../tenants/spaces/resources.ts'
import { describe, type ListView, toJson } from './output/describe.ts'
import { whileWaiting } from './output/waiting.ts'

/** An error that the user can fix. Its message is printed on one line. */
export class CommandError extends Error {}

/** Parses an id as users see it, such as `spc-…`, and returns the id as it is stored. */
export const idArgument = (kind: IdKind) => (text: string) => {
  const id = readId(kind, text)
  if (!id)
    throw new InvalidArgumentError(
      `"${text}" is not a valid id; it must start with ${showId(kind, '00000000-0000-0000-0000-000000000000').slice(0, 4)}.`,
    )
  return id
}

/** Parses an id, and returns it as users see it. */
export const shownId = (kind: IdKind) => (text: string) => showId(kind, idArgument(kind)(text))

export const spaceArgument = ['<space>', 'spc-…', shownId(spaceIds)] as const

export type Money = { currency: string; value: number }

/** Returns a parser of amounts in minor units. `example` is an amount such as `SLE:1500`. */
export const moneyArgument =
  (example: string) =>
  (text: string): Money => {
    const [, currency = '', digits = ''] = /^([A-Z]{3}):(\d{1,16})$/.exec(text) ?? []
    const value = Number(digits)
    if (!isSupportedCurrency(currency) || value < 1 || value > maxAmount)
      throw new InvalidArgumentError(`must have the form ${example}, in minor units.`)
    return { currency, value }
  }

/** Parses a date such as `2026-11-20`. */
export function dayArgument(text: string): string {
  const isDay = /^2\d{3}-\d\d-\d\d$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text)
  if (!isDay) throw new InvalidArgumentError('must be a date such as 2026-11-20.')
  return text
}

export const environmentOption = () =>
  new Option('--environment <environment>', 'test (simulated money) or live').choices(environments)

export const jsonOption = [
  '--json',
  'print one JSON object, with field names and numbers as in the API',
] as const

export type Printing<Args extends unknown[], Result> = Partial<ListView> & {
  /** How to print the text, and the JSON, of a result that is not printed field by field. */
  text?(result: Result, now: Date): string
  json?(result: Result): object
  /** Question that asks the user for confirmation before the command runs. */
  confirm?(...args: Args): string
}

/** Adds a command with subcommands. Returns a function that adds a subcommand. */
export function commandGroup(program: Command, name: string, about: string) {
  const group = program.command(name).description(about)
  return (name: string, about: string) => group.command(name).description(about)
}

/**
 * Adds an action that prints the result of `work`, either as text and tables or, with `--json`, as one JSON
 * object.
 */
export function printing<Args extends unknown[], Result extends object>(
  command: Command,
  work: (...args: Args) => Promise<Result>,
  how: Printing<Args, Result> = {},
): Command {
  const { confirm, json: jsonOf = (result) => result } = how
  const { text = (result, now) => describe(result, how, process.stdout, now) } = how
  if (confirm) command.option('--yes', 'skip the confirmation prompt (shown only on a terminal)')
  return command.option(...jsonOption).action(async (...args: Args) => {
    const { json, yes } = command.opts()
    if (confirm && !yes) await askFirst(confirm(...args))
    const result = await whileWaiting(() => work(...args))
    process.stdout.write(json ? `${toJson(jsonOf(result))}\n` : text(result, new Date()))
  })
}

/** Asks the user for confirmation. Does not ask if there is no terminal, so that scripts are not interrupted. */
async function askFirst(question: string): Promise<void> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return
  const { createInterface } = await import('node:readline/promises')
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const isStopped = Promise.withResolvers<string>()
  terminal.once('SIGINT', () => isStopped.resolve(''))
  terminal.once('close', () => isStopped.resolve(''))
  const answer = await Promise.race([terminal.question(`${question} [y/N] `), isStopped.promise])
  terminal.close()
  if (!/^y(es)?$/i.test(answer.trim())) throw new CommandError('Cancelled. Nothing was changed.')
}
