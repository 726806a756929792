import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { openCommandLine } from '../command-line.ts'
import { isInstalled } from '../installed.ts'
import { createPayer } from '../payer.ts'
import {
  call,
  makeDatabase,
  makeFolder,
  makeShop,
  order,
  type Program,
  readDemo,
  type Shop,
  startProgram,
  waitUntil,
} from '../program.ts'
import { isForReader, programFaults, type Sample, samplesIn, scripts } from '../samples.ts'
import { pages } from '../tidy/documents.ts'

// Whoever reads a guide pastes what stands there: all of it, in order, against the service that `npm start` has.

const run = promisify(execFile)
const root = path.resolve(import.meta.dirname, '../..')
const modules = path.join(root, 'node_modules')
const guides = pages().filter(({ path }) => /^(?:README|docs\/start|docs\/guides\/.*)\.md$/.test(path))

let program: Program
let kit: Server
let dataDir: string
let database: string
/** The shop and the folder of each run, by the address that its script asks when a sample has ended. */
const runs = new Map<string, { shop: Shop; folder: string }>()
const commandLine = openCommandLine()
/** What was typed at `pesewa`, in whichever guide, and what it printed. */
const typed = new Map<string, ReturnType<typeof commandLine.run>>()
let lastCommand: Promise<unknown> = Promise.resolve()

before(async () => {
  dataDir = path.join(makeFolder(), 'data')
  database = (await makeDatabase()).url
  program = await startProgram(['start'], given())
  kit = createServer(async (request, response) => {
    const [, address = '', isCommand] = /^(\/[^/]+)(\/pesewa)?$/.exec(request.url ?? '')!
    try {
      const { shop, folder } = runs.get(address)!
      if (!isCommand) return response.end(await settle(shop))
      const args = new URLSearchParams(await text(request)).getAll('word')
      const { code, stdout, stderr } = await typeOnce(args, folder)
      response.writeHead(code === 0 ? 200 : 500).end(code === 0 ? stdout : `${stdout}${stderr}`)
    } catch (error) {
      response.writeHead(500).end(`echo ${JSON.stringify(String(error))} >&2; false`)
    }
  }).listen(0, '127.0.0.1')
})
after(async () => {
  kit.close()
  await program.stop('SIGINT')
})

const given = () => ({
  DATA_DIR: dataDir,
  DATABASE_URL: database,
  RATE_LIMITS: 'off',
  WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
})

/** A command once, however many guides have it, as its database is the same; and one at a time. */
function typeOnce(args: string[], folder: string): ReturnType<typeof commandLine.run> {
  const command = args.join(' ')
  const printed =
    typed.get(command) ?? lastCommand.then(() => commandLine.run(args, { env: given(), folder }))
  lastCommand = printed
  typed.set(command, printed)
  return printed
}

const languages = [
  { language: 'sh', name: 'curl and the command line', skip: false },
  { language: 'ts', name: 'the SDK', skip: false },
  { language: 'php', name: 'PHP', skip: !isInstalled('php') && 'php is not installed' },
] as const

// Several at a time, for most of it is waiting for payments: each has a shop of its own.
describe('each sample does what it says', { concurrency: true }, () => {
  for (const { language, name, skip } of languages)
    describe(name, { skip, concurrency: 2 }, () => {
      for (const page of guides) {
        const samples = samplesIn(page).filter(
          (sample) => sample.language === language && sample.isRun && !isForReader(sample),
        )
        if (samples.length > 0) test(`${page.path} with ${name}`, () => runAll(samples))
      }
    })
})

test('what is written with the SDK has its types', async () => {
  const folder = folderWithSdk()
  const compilerOptions = {
    ...{ target: 'es2022', lib: ['es2024', 'dom', 'dom.iterable'], module: 'nodenext', noEmit: true },
    ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
    ...{ allowImportingTsExtensions: true, types: ['node'], skipLibCheck: true },
  }
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
  for (const page of guides) {
    const samples = samplesIn(page).filter(({ language }) => language === 'ts')
    if (samples.length > 0)
      writeFileSync(path.join(folder, `${path.basename(page.path)}.ts`), scripts.ts(samples))
  }
  await run(path.join(modules, '.bin/tsc'), ['-p', folder]).catch(({ stdout }) => assert.fail(stdout))
})

async function runAll(samples: Sample[]): Promise<void> {
  assert.deepEqual(samples.flatMap(programFaults), [])
  const { language } = samples[0]!
  const shop = await makeRichShop()
  const address = `/${shop.spaceId}`
  const folder = folderWithSdk()
  runs.set(address, { shop, folder })
  // What `npm start` writes, about the shop of this run.
  mkdirSync(path.join(folder, 'data'))
  writeFileSync(path.join(folder, 'data/demo.json'), JSON.stringify({ ...readDemo(dataDir), ...shop }))
  const file = path.join(folder, `script.${language}`)
  writeFileSync(file, scripts[language](samples))
  const [command, ...args] = { sh: ['bash'], ts: [process.execPath], php: ['php'] }[language]
  const env = {
    ...given(),
    ...{ PATH: `${path.dirname(process.execPath)}:${process.env.PATH}`, HOME: folder },
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    ...{ BASE: shop.baseUrl, TOKEN: shop.testToken, SPACE: shop.spaceId },
    ...{ PESEWA_BASE_URL: shop.baseUrl, PESEWA_TOKEN: shop.testToken, PESEWA_SPACE: shop.spaceId },
    KIT: `http://127.0.0.1:${(kit.address() as AddressInfo).port}${address}`,
  }
  await run(command!, [...args, file], { cwd: folder, env, timeout: 60_000 }).catch(
    ({ stdout, stderr, code }) => {
      assert.fail(`${samples.map(({ at }) => at).join(', ')} end with ${code}\n${stdout}\n${stderr}`)
    },
  )
}

/** With the SDK as its sources are, so that nothing has to be built; test/program/sdk.test.ts has the package. */
function folderWithSdk(): string {
  const folder = makeFolder()
  const installed = path.join(folder, 'node_modules')
  mkdirSync(path.join(installed, 'pesewa'), { recursive: true })
  symlinkSync(path.join(root, 'sdk/src'), path.join(installed, 'pesewa/src'))
  const { exports } = JSON.parse(
    readFileSync(path.join(root, 'sdk/package.json'), 'utf8').replace(
      /dist(\/[\w/-]+)(?:\.d\.ts|\.js)/g,
      'src$1.ts',
    ),
  )
  writeFileSync(
    path.join(installed, 'pesewa/package.json'),
    JSON.stringify({ name: 'pesewa', type: 'module', exports }),
  )
  writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}')
  symlinkSync(path.join(modules, '@types'), path.join(installed, '@types'))
  cpSync(path.join(root, 'examples/php/pesewa.php'), path.join(folder, 'pesewa.php'))
  return folder
}

/** With money on its account, from somebody who has bought seats. */
async function makeRichShop(): Promise<Shop> {
  const shop = await makeShop({ DATABASE_URL: database }, program.baseUrl)
  const seats = { name: 'Seat', reference: 'seat', quantity: 3, price: { currency: 'SLE', value: 4_000_000 } }
  await call(shop, 'POST', '/v1/checkout-sessions', { name: 'Concert', lineItems: [seats] })
  await call(shop, 'POST', '/v1/financial-accounts', { name: 'Rent', currency: 'SLE' })
  await settle(shop)
  return shop
}

type Pending = { redirectUrl: string; amount: { currency: string } }

const ofKit = 'Left to pay'
const isOfReader = ({ name }: { name: string }) => name !== ofKit

/**
 * Pays what waits to be paid, and waits until nothing is on its way. Returns the shell's variables: what a reader has from the
 * response before.
 */
async function settle(shop: Shop): Promise<string> {
  const list = async (address: string) => (await call(shop, 'GET', address)).body.result
  const pending = await list('/v1/checkout-sessions?status=pending&limit=50')
  const paying = pending.filter(isOfReader).map(async ({ redirectUrl, amount }: Pending) => {
    const payer = createPayer(redirectUrl)
    await (amount.currency === 'KES'
      ? payer.pay('mpesa-ke', '0712 345 678')
      : payer.pay('m17', '076 123 456'))
    await waitUntil(program, async () => (await payer.status()) === 'done')
  })
  await Promise.all(paying)
  for (const kind of ['payouts', 'refunds'])
    await waitUntil(program, async () => (await list(`/v1/${kind}?status=processing`)).length === 0)
  const [sessions, [payment], [payout], [code], accounts, unpaid] = await Promise.all([
    ...[list('/v1/checkout-sessions?limit=50'), list('/v1/payments?limit=1'), list('/v1/payouts?limit=1')],
    ...[list('/v1/payment-codes?limit=1'), list('/v1/financial-accounts')],
    call(shop, 'POST', '/v1/checkout-sessions', order(15_000, { name: ofKit })),
  ])
  const session = sessions.find(isOfReader)
  const values = {
    ...{ ORDER_NUMBER: session.orderNumber, URL: unpaid.body.result.redirectUrl },
    ...{ PAYMENT: payment.id, REFERENCE: payment.financialTransactionReference },
    ...{
      PAYOUT: payout?.id,
      CODE: code?.ussdCode,
      ACCOUNT: accounts.at(-1).id,
      OTHER_ACCOUNT: accounts[0].id,
    },
  }
  return Object.entries(values)
    .map(([name, value]) => `${name}='${value ?? ''}'`)
    .join('\n')
}
