import { settingDefinitions } from '../../src/slices.ts'
import { code, page, table, writtenByCode } from './markdown.ts'

/** `docs/reference/settings.md` */
export function writeSettings(): string {
  const rows = Object.values(settingDefinitions).map(({ name, about, example, parse }) => {
    const hasDefault = ![parse(undefined)].flat().every((value) => value === undefined)
    return [code(name), hasDefault ? code(example) : `(like ${code(example)})`, about]
  })
  return page(
    writtenByCode('src/*/settings.ts'),
    '# Settings',
    'Settings are environment variables, read once at start; every fault is told at once. An empty variable counts as absent. [`config.example.env`](../../config.example.env) holds all of them.',
    table(['Setting', 'Default', 'What it is for'], rows),
    'Durations are written like `90s`, `10m`, `1h30m` or `7d`.',
  )
}
