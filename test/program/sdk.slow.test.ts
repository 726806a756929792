import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { copyFileSync, cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { build } from 'vite'
import { freePort } from '../support/free-port.ts'
import { installSdk, packSdk } from '../support/packed-sdk.ts'
import { createPayer } from '../support/payer.ts'
import {
  makeDatabase,
  makeFolder,
  makeShop,
  type Program,
  type Shop,
  startProgram,
} from '../support/program.ts'

const run = promisify(execFile)
const root = path.resolve(import.meta.dirname, '../..')
const tsc = path.join(root, 'node_modules/.bin/tsc')
let made: string
let tarball: string
let empty: string
let program: Program
let shop: Shop

/** Creates a folder with only the installed package. */
before(async () => {
  ;({ folder: made, tarball } = await packSdk())
  empty = await installSdk(tarball)
  // Node's types are the shop's own dependency, as in any project.
  linkFromHere('@types')
  const given = { DATABASE_URL: (await makeDatabase()).url, WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' }
  program = await startProgram(['serve', '--work'], given)
  shop = await makeShop(given, program.baseUrl)
})
after(() => program.stop())

const strict = {
  ...{ target: 'es2022', module: 'nodenext', strict: true, exactOptionalPropertyTypes: true },
  ...{ noUncheckedIndexedAccess: true, noEmit: true, types: ['node'] },
}

const linkFromHere = (name: string) =>
  symlinkSync(path.join(root, 'node_modules', name), path.join(empty, 'node_modules', name))

/** Type-checks files with the strictest compiler options, optionally without checking the frameworks' own types. */
async function typeCheck(include: string[], skipLibCheck = false): Promise<void> {
  writeFileSync(
    path.join(empty, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: { ...strict, skipLibCheck }, include }),
  )
  await run(tsc, ['-p', empty]).catch(({ stdout }) => assert.fail(stdout))
}

test('the package and its types alone are enough to take a payment, verify its webhook and refund part of it', async () => {
  copyFileSync(path.join(empty, 'node_modules/pesewa/examples/order.ts'), path.join(empty, 'shop.ts'))
  await typeCheck(['shop.ts'])

  const env = {
    PATH: process.env.PATH,
    ...{ TOKEN: shop.testToken, SPACE: shop.spaceId, BASE_URL: shop.baseUrl, PORT: String(await freePort()) },
  }
  const running = run(process.execPath, ['shop.ts'], { cwd: empty, env, timeout: 60_000 })
  running.child.stdout?.setEncoding('utf8').once('data', (line: string) => {
    void createPayer(JSON.parse(line).payAt).pay('m17', '076 123 456')
  })
  const { stdout, stderr } = await running
  assert.equal(stderr, '')
  const [, paid, refunded] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.deepEqual([paid, refunded], [{ paid: 300 }, { refunded: 100, left: 200 }])
})

/** Clones the parts of the repository that the SDK's folder needs, with installed packages. */
function cloneWithSdk(): string {
  const clone = makeFolder()
  for (const name of ['package.json', 'tsconfig.json'])
    copyFileSync(path.join(root, name), path.join(clone, name))
  cpSync(path.join(root, 'packages/sdk'), path.join(clone, 'packages/sdk'), {
    recursive: true,
    filter: (file) => !file.startsWith(path.join(root, 'packages/sdk/dist')),
  })
  symlinkSync(path.join(root, 'node_modules'), path.join(clone, 'node_modules'))
  return clone
}

for (const how of ['as a link, npm’s default', 'as a copy, with --install-links'])
  test(`its folder works immediately when installed ${how}`, async () => {
    const clone = cloneWithSdk()
    const folder = makeFolder()
    writeFileSync(path.join(folder, 'package.json'), '{"type":"module","private":true}')
    const readme = readFileSync(path.join(clone, 'packages/sdk/README.md'), 'utf8')
    const [, command] = /^```(?:sh)\n(.*)\n```/m.exec(readme) ?? []
    assert.equal(readme.slice(0, readme.indexOf('```')).split('\n').length < 6, true)
    assert.equal(command, 'npm install /path/to/pesewa/packages/sdk')
    const options = [
      '--offline',
      '--no-audit',
      '--no-fund',
      ...(how.includes('copy') ? ['--install-links'] : []),
    ]
    await run('npm', ['install', ...options, path.join(clone, 'packages/sdk')], { cwd: folder })
    writeFileSync(
      path.join(folder, 'shop.ts'),
      "import { money } from 'pesewa'\nconsole.log(money('SLE', '12.50').value)\n",
    )
    writeFileSync(
      path.join(folder, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: { ...strict, types: [], lib: ['es2022', 'dom'] },
        include: ['shop.ts'],
      }),
    )
    await run(tsc, ['-p', folder]).catch(({ stdout }) => assert.fail(stdout))
    assert.equal((await run(process.execPath, ['shop.ts'], { cwd: folder })).stdout, '1250\n')
  })

/** Definitions that the README's samples leave to the reader. */
const types: Record<string, string> = {
  ...{ express: 'Express', fastify: 'FastifyInstance', hono: 'Hono' },
  pesewa: 'CheckoutSession, PaymentCode, Pesewa, WebhookEvent',
}
const importOf = (name: string) => ['import type {', types[name], '} from', JSON.stringify(name)].join(' ')
const given = `${Object.keys(types).map(importOf).join('\n')}
declare global {
  const token: string
  const secret: string
  const oldSecret: string
  const rawBody: Buffer
  const headers: Record<string, string>
  const request: Request
  const signal: AbortSignal
  let lastEventId: string | undefined
  const code: PaymentCode
  const session: CheckoutSession
  const pesewa: Pesewa
  const expressApp: Express
  const fastifyApp: FastifyInstance
  const honoApp: Hono
  function onEvent(event: WebhookEvent): Promise<void>
  function handle(event: WebhookEvent): Promise<void>
}`

test('the code samples in its README type-check, including those that use frameworks', async () => {
  const readme = readFileSync(path.join(empty, 'node_modules/pesewa/README.md'), 'utf8')
  const samples = [...readme.matchAll(/^```ts\n(.*?)^```/gms)].map(([, sample = '']) => sample)
  assert.ok(samples.length > 5)
  // Imports are resolved as in a shop that has installed these packages.
  for (const name of ['express', 'fastify', 'hono']) linkFromHere(name)
  writeFileSync(path.join(empty, 'given.d.ts'), given)
  const files = samples.map((sample, i) => {
    writeFileSync(path.join(empty, `sample-${i}.ts`), `${sample}\nexport {}\n`)
    return `sample-${i}.ts`
  })
  await typeCheck(['given.d.ts', ...files], true)
})

test('the package contains what it lists, and nothing internal', () => {
  const own = path.join(empty, 'node_modules/pesewa')
  assert.deepEqual(readdirSync(own).sort(), ['README.md', 'dist', 'examples', 'package.json'])
  const { dependencies, exports } = JSON.parse(readFileSync(path.join(own, 'package.json'), 'utf8'))
  assert.equal(dependencies, undefined)
  for (const file of Object.values<string | Record<string, string>>(exports).flatMap(filesOf))
    assert.ok(readFileSync(path.join(own, file)).length > 0)
  const files = readdirSync(path.join(own, 'dist'), { recursive: true }).map(String)
  assert.deepEqual(
    files.filter((file) => /\.test\.|internal|session/.test(file)),
    [],
  )
})

const filesOf = (target: string | Record<string, string>) =>
  typeof target === 'string' ? [target] : Object.values(target)

test('npm, bundlers and TypeScript resolve it correctly', async () => {
  const { messages, pkg } = await publint({ pkgDir: made, strict: true })
  assert.deepEqual(
    messages.map((message) => formatMessage(message, pkg)),
    [],
  )
  const analysis = await checkPackage(createPackageFromTarballData(readFileSync(tarball)))
  assert.ok(analysis.types)
  // It is ESM only: newer Node versions can require it. Node 10 resolution does not support subpaths.
  const problems = analysis.problems.filter(
    (problem) =>
      problem.kind !== 'CJSResolvesToESM' &&
      !('resolutionKind' in problem && problem.resolutionKind === 'node10' && problem.entrypoint !== '.'),
  )
  assert.deepEqual(problems, [])
})

async function bundle(source: string): Promise<string> {
  const entry = path.join(empty, 'bundled.js')
  writeFileSync(entry, source)
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    root: empty,
    build: { write: false, minify: true, lib: { entry, formats: ['es'], fileName: 'bundled' } },
  })
  const outputs = [built].flat().flatMap((each) => ('output' in each ? each.output : []))
  return outputs.map((output) => (output.type === 'chunk' ? output.code : '')).join('')
}

test('it is under 10 KB packed', async () => {
  const entries = ['pesewa', 'pesewa/express', 'pesewa/fastify', 'pesewa/hono', 'pesewa/webhooks']
  const code = await bundle(entries.map((entry) => `export * from '${entry}'`).join('\n'))
  const bytes = gzipSync(code).length
  assert.ok(bytes > 1_000 && bytes < 10_240, `${bytes} bytes`)
})

test('an unused resource adds no bytes to a bundle', async () => {
  const source = (resources: string) =>
    `import { connect, ${resources} } from 'pesewa/resources'\nconsole.log(connect(globalThis.options, { ${resources} }))`
  const one = await bundle(source('payments'))
  assert.match(one, /\/v1\/payments/)
  assert.doesNotMatch(one, /\/v1\/(?!payments)|last-event-id|webhook-signature/)
  const two = await bundle(source('payments, refunds'))
  const added = [...two.matchAll(/\/v1\/([\w-]+)/g)].map(([, name]) => name)
  assert.deepEqual([...new Set(added)].sort(), ['payments', 'refunds'])
  const bytes = gzipSync(one).length
  assert.ok(bytes < 4_096, `${bytes} bytes`)
})
