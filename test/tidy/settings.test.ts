import assert from 'node:assert/strict'
import { test } from 'node:test'
import { environmentReads, settingIssues } from './settings.ts'
import { sourceOf } from './sources.ts'

const catalogue = sourceOf('packages/server/src/platform/config.ts', "\nport: {\n  name: 'PORT',\n},\n")
const port = (more: { example?: string; standard?: number } = {}) => ({
  port: {
    name: 'PORT',
    example: more.example ?? '8080',
    parse: (text: string | undefined) => (text === undefined ? more.standard : Number(text)),
  },
})
const reading = (text: string) => [catalogue, sourceOf('packages/server/src/app.ts', text)]

const reads: [line: string, isRead: boolean][] = [
  ['listen(settings.port)', true],
  ['listen(settings?.port)', true],
  ['const { host, port } = settings', true],
  ['const { port } = parts.settings', true],
  ['function listen({ host, port }: Settings) {}', true],
  ['function listen({ host, port }: PlatformSettings) {}', true],
  ['listen(settings.portRange)', false],
  ['const { port } = address', false],
  ['listen(port)', false],
]

for (const [line, isRead] of reads)
  test(`a setting is ${isRead ? '' : 'not '}read by: ${line}`, () => {
    const expected = isRead ? [] : ['packages/server/src/platform/config.ts:3 PORT is never read']
    assert.deepEqual(settingIssues(port(), reading(line)), expected)
  })

const examples: [example: string, standard: number | undefined, isFault: boolean][] = [
  ['8080', 8080, false],
  ['80', 8080, true],
  ['80', undefined, false],
]

for (const [example, standard, isFault] of examples)
  test(`the example ${example} ${isFault ? 'contradicts' : 'matches'} a default of ${standard}`, () => {
    const definitions = port({ example, ...(standard !== undefined && { standard }) })
    assert.deepEqual(
      settingIssues(definitions, reading('settings.port')),
      isFault
        ? [
            `packages/server/src/platform/config.ts:3 PORT has the example ${example} but the default ${standard}`,
          ]
        : [],
    )
  })

test('only the settings read environment variables', () => {
  const text = 'readSettings(process.env)\nconst home = process.env.HOME\n// process.env\n'
  assert.deepEqual(environmentReads([sourceOf('packages/server/src/main.ts', text)]), [
    'packages/server/src/main.ts:2 process.env',
  ])
})
