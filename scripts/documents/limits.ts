import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type pg from 'pg'
import { settingDefinitions } from '../../src/slices.ts'
import { foldersInOrder } from './architecture.ts'
import { code, page, plain, table, writtenByCode } from './markdown.ts'
import { showLimit, showNumber } from './shown-limit.ts'

const source = path.resolve(import.meta.dirname, '../../src')

/** A limit as the code has it; `file` is relative to `src/`. */
type Limit = { what: string; shown: string; file: string }

/**
 * `docs/reference/limits.md`: each line of `src/` that ends in `// limit: what it bounds`, with the value that stands in that
 * very line; settings that are numbers; how far a balance counts.
 */
export async function writeLimits(client: pg.Client): Promise<string> {
  const bySlice = Map.groupBy(sourceFiles().flatMap(readLimits), ({ file }) => sliceOf(file))
  const slices = ['the program', ...foldersInOrder()].filter((slice) => bySlice.has(slice))
  const head = ['What is bounded', 'Limit', 'Where']
  return page(
    writtenByCode('the constants of src/'),
    '# Limits',
    'Everything has a limit with a name. Each value below is read from the line of code that has it; s, m, h and d are seconds, minutes, hours and days. What a single field of a request takes is in the [list of calls](api.md).',
    '## Settings',
    'Defaults. What else can be set is in the [list of settings](settings.md).',
    table(['What is bounded', 'Limit', 'Setting'], settingsThatLimit()),
    '## Balances',
    table(head, [['a balance, in minor units', await boundOfBalances(client), code('schema.sql')]]),
    ...slices.flatMap((slice) => [`## ${slice}`, table(head, bySlice.get(slice)!.map(cells))]),
  )
}

const cells = ({ what, shown, file }: Limit) => [plain(what), shown, `[\`${file}\`](../../src/${file})`]
const sliceOf = (file: string) => (file.includes('/') ? file.split('/', 1)[0]! : 'the program')

/** A port is a number and no limit. */
const settingsThatLimit = (): string[][] =>
  Object.entries(settingDefinitions).flatMap(([key, { name, about, parse }]) => {
    const value = parse(undefined)
    const isLimit = typeof value === 'number' && !name.endsWith('PORT')
    return isLimit ? [[plain(about), showNumber(key, value), code(name)]] : []
  })

const boundsOfTypes: Record<string, string> = { bigint: '±(2^63 − 1)' }

async function boundOfBalances(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ type: string }>(
    `select data_type as type from information_schema.columns
     where table_schema = 'public' and table_name = 'ledger_accounts' and column_name = 'posted'`,
  )
  const bound = boundsOfTypes[rows[0]?.type ?? '']
  if (bound === undefined) throw new Error('a balance is no longer a bigint: its bound has to be said anew')
  return bound
}

const sourceFiles = (): { file: string; text: string }[] =>
  readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.[jt]s$/.test(file) && !/\.(?:test|d)\.ts$/.test(file))
    .sort()
    .map((file) => ({ file, text: readFileSync(path.join(source, file), 'utf8') }))

/** Every limit of a file, in its order: a line that ends in `// limit: what it bounds`. */
const readLimits = ({ file, text }: { file: string; text: string }): Limit[] =>
  [...text.matchAll(/^(.*\S)\s*\/\/ limit: (.+)$/gm)].map(([, line, what]) => ({
    what: what!,
    shown: showLimit(line!.trim(), text),
    file,
  }))
