import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { type Page, pages } from '../tidy/documents.ts'
import { openCommandLine } from './command-line.ts'
import { isInstalled } from './installed.ts'
import { createPayer } from './payer.ts'
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
} from './program.ts'
import { isForReader, programIssues, type Sample, samplesIn, scripts } from './samples.ts'

const run = promisify(execFile)
const commandLine = openCommandLine()
const root = path.resolve(import.meta.dirname, '../..')
const modules = path.join(root, 'node_modules')

export const guides = pages().filter(({ path }) =>
  /^(?:README|docs\/guides\/.*|packages\/rails\/[^/]+\/guide)\.md$/.test(path),
)

export const languages = [
  { language: 'sh', name: 'curl and the command line', skip: false },
  { language: 'ts', name: 'the SDK', skip: false },
  { language: 'php', name: 'PHP', skip: !isInstalled('php') && 'php is not installed' },
  { language: 'python', name: 'Python', skip: !isInstalled('python3') && 'python3 is not installed' },
] as const

/** Returns the code samples of a page in one language that a test can run. */
export const runnable = (page: Page, language: Sample['language']): Sample[] =>
  samplesIn(page).filter((sample) => sample.language === language && sample.isRun && !isForReader(sample))

export type Reader = {
  /** Creates a shop with money in its account, received from a customer who bought seats. */
  makeShop(): Promise<Shop>
  /** Runs code samples in one language, in order, as one script that uses the shop, and returns its output. */
  paste(shop: Shop, samples: Sample[]): Promise<string>
  close(): Promise<void>
}

/** Starts the service with `npm start`, and plays a reader who pastes the code samples of its guides. */
export async function openReader(): Promise<Reader> {
  const dataDir = path.join(makeFolder(), 'data')
  const database = (await makeDatabase()).url
  const given = {
    DATA_DIR: dataDir,
    DATABASE_URL: database,
    RATE_LIMITS: 'off',
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
  }
  const program = await startProgram(['start'], given)
  /** The shop and folder of each script, by the path that the script calls after each sample. */
  const pasted = new Map<string, { shop: Shop; folder: string }>()
  /** The `pesewa` commands of all guides, and what each printed. */
  const typed = new Map<string, ReturnType<typeof commandLine.run>>()
  let lastCommand: Promise<unknown> = Promise.resolve()

  /**
   * Runs each command once, even if several guides contain it, because they share a database; and only one
   * command at a time.
   */
  const typeOnce = (args: string[], folder: string): ReturnType<typeof commandLine.run> => {
    const command = args.join(' ')
    const printed =
      typed.get(command) ?? lastCommand.then(() => commandLine.run(args, { env: given, folder }))
    lastCommand = printed
    typed.set(command, printed)
    return printed
  }

  const kit = createServer(async (request, response) => {
    const [, address = '', isCommand] = /^(\/[^/]+)(\/pesewa)?$/.exec(request.url ?? '')!
    try {
      const { shop, folder } = pasted.get(address)!
      const body = await text(request)
      if (!isCommand) return response.end(await settle(program, shop, body))
      const args = new URLSearchParams(body).getAll('word')
      const { code, stdout, stderr } = await typeOnce(args, folder)
      response.writeHead(code === 0 ? 200 : 500).end(code === 0 ? stdout : `${stdout}${stderr}`)
    } catch (error) {
      response.writeHead(500).end(`echo ${JSON.stringify(String(error))} >&2; false`)
    }
  }).listen(0, '127.0.0.1')

  return {
    async makeShop() {
      const shop = await makeShop({ DATABASE_URL: database }, program.baseUrl)
      const price = { currency: 'SLE', value: 4_000_000 }
      const seats = { name: 'Seat', reference: 'seat', quantity: 3, price }
      await call(shop, 'POST', '/v1/checkout-sessions', { name: 'Concert', lineItems: [seats] })
      await call(shop, 'POST', '/v1/financial-accounts', { name: 'Rent', currency: 'SLE' })
      await settle(program, shop, '')
      return shop
    },
    async paste(shop, samples) {
      assert.deepEqual(samples.flatMap(programIssues), [])
      const { language } = samples[0]!
      const folder = folderWithSdk()
      const address = `/${path.basename(folder)}`
      pasted.set(address, { shop, folder })
      // Written as `npm start` would, for this shop.
      mkdirSync(path.join(folder, 'data'))
      writeFileSync(path.join(folder, 'data/demo.json'), JSON.stringify({ ...readDemo(dataDir), ...shop }))
      const file = path.join(folder, `script.${language}`)
      writeFileSync(file, scripts[language](samples))
      const [command, ...args] = {
        sh: ['bash'],
        ts: [process.execPath],
        php: ['php'],
        python: ['python3'],
      }[language]
      const env = {
        ...given,
        ...{ PATH: `${path.dirname(process.execPath)}:${process.env.PATH}`, HOME: folder },
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        ...{ BASE: shop.baseUrl, TOKEN: shop.testToken, SPACE: shop.spaceId },
        ...{ PESEWA_BASE_URL: shop.baseUrl, PESEWA_TOKEN: shop.testToken, PESEWA_SPACE: shop.spaceId },
        KIT: `http://127.0.0.1:${(kit.address() as AddressInfo).port}${address}`,
      }
      const printed = await run(command!, [...args, file], { cwd: folder, env, timeout: 60_000 }).catch(
        ({ stdout, stderr, code }) =>
          assert.fail(`${samples.map(({ at }) => at).join(', ')} exited with ${code}\n${stdout}\n${stderr}`),
      )
      return printed.stdout
    },
    async close() {
      kit.close()
      await program.stop('SIGINT')
    },
  }
}

/**
 * Creates a folder with the SDK as source files, so that nothing has to be built; test/program/sdk.slow.test.ts
 * tests the package.
 */
export function folderWithSdk(): string {
  const folder = makeFolder()
  const installed = path.join(folder, 'node_modules')
  mkdirSync(path.join(installed, 'pesewa'), { recursive: true })
  symlinkSync(path.join(root, 'packages/sdk/src'), path.join(installed, 'pesewa/src'))
  const { exports } = JSON.parse(
    readFileSync(path.join(root, 'packages/sdk/package.json'), 'utf8').replace(
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

type Pending = { redirectUrl: string; amount: { currency: string } }

const ofKit = 'Left to pay'
const isOfReader = ({ name }: { name: string }) => name !== ofKit

/**
 * Pays all pending sessions, and waits until no payout or refund is in progress. Returns shell variables with
 * the values a reader would have copied from earlier responses, or else with values that belong to the shop.
 */
async function settle(program: Program, shop: Shop, response: string): Promise<string> {
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
  const { id = '', orderNumber, ussdCode } = resultIn(response)
  const ofOrder = orderNumber ? `&orderNumber=${orderNumber}` : ''
  const [payments, [payout], [code], accounts, unpaid] = await Promise.all([
    ...[list(`/v1/payments?status=completed&limit=50${ofOrder}`), list('/v1/payouts?limit=1')],
    ...[list('/v1/payment-codes?limit=1'), list('/v1/financial-accounts?limit=50')],
    call(shop, 'POST', '/v1/checkout-sessions', order(15_000, { name: ofKit })),
  ])
  const payment = payments.find(isInLeones) ?? payments[0]
  const copied = {
    URL: unpaid.body.result.redirectUrl,
    ...(orderNumber && { ORDER_NUMBER: orderNumber, ...valuesOf(payment) }),
    ...(id.startsWith('pyt-') && { PAYOUT: id }),
    ...(ussdCode && { CODE: ussdCode }),
  }
  const found = {
    ...{ ORDER_NUMBER: payment?.orderNumber, ...valuesOf(payment) },
    ...{ PAYOUT: payout?.id, CODE: code?.ussdCode },
    ...{ ACCOUNT: accounts.findLast(isInLeones).id, OTHER_ACCOUNT: accounts.find(isInLeones).id },
  }
  return [
    ...Object.entries(copied).map(([name, value]) => `${name}='${value}'`),
    ...Object.entries(found).map(([name, value]) => `: "\${${name}:=${value ?? ''}}"`),
  ].join('\n')
}

type Paid = { id: string; financialTransactionReference: string }
const valuesOf = (payment: Paid | undefined) =>
  payment && { PAYMENT: payment.id, REFERENCE: payment.financialTransactionReference }

const isInLeones = ({
  amount,
  currency = amount?.currency,
}: {
  amount?: { currency: string }
  currency?: string
}) => currency === 'SLE'

/** Returns the part of a response that a reader would copy. */
function resultIn(response: string): { id?: string; orderNumber?: string; ussdCode?: string } {
  try {
    const { result } = JSON.parse(response)
    return [result].flat()[0] ?? {}
  } catch {
    return {}
  }
}
