import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type pg from 'pg'
import { settingDefinitions } from '../../packages/server/src/slices.ts'
import { foldersInOrder, sliceOf } from './folders.ts'
import { code, page, plain, table, writtenByCode } from './markdown.ts'
import { showLimit, showNumber } from './shown-limit.ts'

const root = path.resolve(import.meta.dirname, '../..')

/** A limit found in the code; `file` is relative to the repository. */
type Limit = { what: string; shown: string; file: string }

/**
 * Writes `docs/reference/limits.md` from three sources: all lines of the server and the packages below it that contain a value and
 * end in `// limit: what it limits`, the numeric settings, and the range of balances.
 */
export async function writeLimits(client: pg.Client): Promise<string> {
  const bySlice = Map.groupBy(
    sourceFiles().flatMap(readLimits),
    ({ file }) => sliceOf(file) ?? packageOf(file) ?? 'the program',
  )
  const slices = ['the program', ...packageFolders, ...foldersInOrder()].filter((slice) => bySlice.has(slice))
  const head = ['Limit', 'Value', 'Where']
  return page(
    writtenByCode('the constants of the packages'),
    '# Limits',
    'The limits that callers, payers and operators can meet. Values are read from the code; s, m, h and d are seconds, minutes, hours and days. Limits of single request fields are in the [API reference](api.md).',
    '## Rate limits and other settings',
    'Default values. All settings are in the [settings reference](settings.md).',
    table(['Limit', 'Value', 'Setting'], settingsThatLimit()),
    '## Balances',
    table(head, [
      ['a balance, in minor units', await boundOfBalances(client), code('packages/server/schema.sql')],
    ]),
    ...slices.flatMap((slice) => [`## ${slice}`, table(head, bySlice.get(slice)!.map(cells))]),
  )
}

const packageFolders = ['packages/values', 'packages/connector-kit', 'packages/rails']
const packageOf = (file: string) => packageFolders.find((folder) => file.startsWith(`${folder}/`))

const cells = ({ what, shown, file }: Limit) => [
  plain(what),
  shown,
  `[\`${file.replace(/^packages\/server\/src\//, '')}\`](../../${file})`,
]

/** Returns the settings that limit something. Ports and shares are numbers, but not limits. */
const settingsThatLimit = (): string[][] =>
  Object.entries(settingDefinitions).flatMap(([key, { name, about, parse }]) => {
    const value = parse(undefined)
    const isLimit = Number.isInteger(value) && typeof value === 'number' && !name.endsWith('PORT')
    return isLimit ? [[plain(about), showNumber(key, value), code(name)]] : []
  })

const boundsOfTypes: Record<string, string> = { bigint: '±(2^63 − 1)' }

async function boundOfBalances(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ type: string }>(
    `select data_type as type from information_schema.columns
     where table_schema = 'public' and table_name = 'ledger_accounts' and column_name = 'posted'`,
  )
  const bound = boundsOfTypes[rows[0]?.type ?? '']
  if (bound === undefined) throw new Error('balances are no longer bigint: update their documented range')
  return bound
}

const sourceFiles = (): { file: string; text: string }[] =>
  ['packages/server/src', ...packageFolders]
    .flatMap((folder) =>
      readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
        path.join(folder, file),
      ),
    )
    .filter((file) => /\.[jt]s$/.test(file) && !/\.(?:test|d)\.ts$/.test(file))
    .sort()
    .map((file) => ({ file, text: readFileSync(path.join(root, file), 'utf8') }))

/** Lists the limits of a file in order: lines that end in `// limit: what it limits`. */
const readLimits = ({ file, text }: { file: string; text: string }): Limit[] =>
  [...text.matchAll(/^(.*\S)\s*\/\/ limit: (.+)$/gm)].map(([, line, what]) => ({
    what: what!,
    shown: showLimit(line!.trim()),
    file,
  }))
