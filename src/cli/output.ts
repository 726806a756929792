/** Whether a command is to print one JSON object instead of lines for people. */
export type Json = { json?: boolean }
export const jsonOption = ['--json', 'print one JSON object'] as const

/** Does the work of a command and prints what it answers. */
export async function print(options: Json, work: () => Promise<object>): Promise<void> {
  const result = await work()
  process.stdout.write(options.json ? `${toJson(result)}\n` : describe(result))
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
