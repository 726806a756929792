import { settingDefinitions } from '../../src/slices.ts'

/** `config.example.env`: every setting, commented out. */
export function writeConfigExample(): string {
  const head = [
    '# Written by `npm run write` from src/platform/config.ts: edit that instead.',
    '#',
    '# Every setting with its default, or an example where it has none. The program reads the environment, not this',
    '# file: `node --env-file=pesewa.env src/main.ts start` gives it a copy.',
  ]
  const settings = Object.values(settingDefinitions).map(
    ({ name, about, example }) => `# ${about}\n#${name}=${example}`,
  )
  return `${[head.join('\n'), ...settings].join('\n\n')}\n`
}
