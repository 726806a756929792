import { settingDefinitions } from '../../packages/server/src/slices.ts'
import { code, page, table, writtenByCode } from './markdown.ts'

/** Writes `docs/reference/settings.md`. */
export function writeSettings(): string {
  const rows = Object.values(settingDefinitions).map(({ name, about, example, parse }) => {
    const hasDefault = ![parse(undefined)].flat().every((value) => value === undefined)
    return [code(name), hasDefault ? code(example) : `(for example, ${code(example)})`, about]
  })
  return page(
    writtenByCode('packages/server/src/**/settings.ts'),
    '# Settings',
    'Settings are environment variables, read once at startup; all errors are reported together. An empty variable counts as not set. [`config.example.env`](../../config.example.env) contains all of them.',
    table(['Setting', 'Default', 'Description'], rows),
    'Durations have the form `90s`, `10m`, `1h30m` or `7d`.',
  )
}
