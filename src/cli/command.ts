import { type Command, InvalidArgumentError } from 'commander'
import { type IdKind, readId, showId } from '../platform/ids.ts'

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

export const jsonOption = ['--json', 'print one JSON object'] as const

/** A command that prints what `work` returns: as lines for people, or as one JSON object. */
export function printing<Args extends unknown[]>(
  command: Command,
  work: (...args: Args) => Promise<object>,
): void {
  command.option(...jsonOption).action(async (...args: Args) => {
    const result = await work(...args)
    process.stdout.write(command.opts().json ? `${toJson(result)}\n` : describe(result))
  })
}

const toJson = (value: object) =>
  JSON.stringify(value, (_key, entry) => (typeof entry === 'bigint' ? String(entry) : entry))

/** One `name: value` a line; a list, one entry a line. */
function describe(result: object): string {
  const shown = (value: unknown) =>
    value instanceof Date
      ? value.toISOString()
      : Array.isArray(value)
        ? value.join(',')
        : String(value ?? '-')
  return Object.entries(result)
    .map(([name, value]) =>
      Array.isArray(value)
        ? value.map((entry: object) => `${Object.values(entry).map(shown).join('  ')}\n`).join('')
        : `${name}: ${shown(value)}\n`,
    )
    .join('')
}
