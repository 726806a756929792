import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { cpSync, readFileSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { signWebhook } from '../../packages/sdk/src/testing.ts'
import { freePort } from '../support/free-port.ts'
import { isInstalled } from '../support/installed.ts'
import { installSdk } from '../support/packed-sdk.ts'
import { waitBeforeNextCheck } from '../support/patience.ts'
import { createPayer } from '../support/payer.ts'
import {
  call,
  makeDatabase,
  makeFolder,
  makeShop,
  type Program,
  pay,
  type Shop,
  startProgram,
  waitUntil,
} from '../support/program.ts'

// The shops in examples/, as a developer would copy them.

const run = promisify(execFile)
const root = path.resolve(import.meta.dirname, '../..')
let program: Program
let shop: Shop

before(async () => {
  const given = { DATABASE_URL: (await makeDatabase()).url, WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' }
  program = await startProgram(['serve', '--work'], given)
  shop = await makeShop(given, program.baseUrl)
  // A refund does not return the fee, so the account needs more money than that payment brought.
  await pay(program, shop, 100_000)
})
after(() => program.stop())

const ofExample = (name: string) => {
  const folder = makeFolder()
  cpSync(path.join(root, 'examples', name), folder, { recursive: true })
  return folder
}

/** Copies the Express shop into a folder with the packed SDK and this repository's Express. */
async function ofExpress(): Promise<string> {
  const folder = await installSdk()
  symlinkSync(path.join(root, 'node_modules/express'), path.join(folder, 'node_modules/express'))
  cpSync(path.join(root, 'examples/express'), folder, { recursive: true })
  return folder
}

type Example = {
  folder: () => string | Promise<string>
  start: (port: number) => string[]
  refund: string[]
  skip?: string | false
}

const node = process.execPath
const examples: Record<string, Example> = {
  Express: { folder: ofExpress, start: () => [node, 'shop.js'], refund: [node, 'refund.js'] },
  'plain Node': {
    folder: () => ofExample('node'),
    start: () => [node, 'shop.js'],
    refund: [node, 'refund.js'],
  },
  PHP: {
    folder: () => ofExample('php'),
    start: (port) => ['php', '-S', `127.0.0.1:${port}`, 'shop.php'],
    refund: ['php', 'refund.php'],
    skip: !isInstalled('php') && 'php is not installed',
  },
}

for (const [name, { folder, start, refund, skip = false }] of Object.entries(examples))
  test(`the shop in ${name} sells, rejects unsigned events, ships each paid order once, and refunds it`, {
    skip,
  }, async () => {
    const port = await freePort()
    const env = await settingsOf(port)
    const cwd = await folder()
    const running = startShop(start(port), { cwd, env })
    const at = `http://127.0.0.1:${port}`
    try {
      const front = await waitUntil(program, () => fetch(at).catch(() => undefined))
      assert.match(await front.text(), /Le 150\.00.*action="\/pay"/s)

      // An order that is not paid.
      const other = await order(at)
      // An order that is paid; the payer returns.
      const payer = createPayer((await order(at)).redirectUrl)
      await payer.pay('m17', '076 123 456')
      await waitUntil(program, async () => (await payer.status()) === 'done')
      const back = (await payer.look('/wait')).location ?? ''
      assert.ok(back.startsWith(`${at}/orders/`), back)
      assert.match(await (await fetch(back)).text(), /Le 150\.00: paid/)
      const [, paid, paymentId] = (await running.prints(/^.*paid: order (\S+) by (pay-\S+)$/m)) as string[]
      assert.ok(back.startsWith(`${at}/orders/${paid}`), back)

      // A repeated event, and forged events.
      const { result: payment } = (await call(shop, 'GET', `/v1/payments/${paymentId}`)).body
      const event = { id: 'evt-again', type: 'payment.completed', data: payment }
      const ofOther = { ...event, data: { ...payment, reference: other.id } }
      const cheaper = { ...ofOther, data: { ...ofOther.data, amount: { currency: 'SLE', value: 1 } } }
      const secret = env.PESEWA_WEBHOOK_SECRET
      const hour = new Date(Date.now() - 3_600_000)
      assert.equal(await send(at, await signWebhook(event, secret)), 204)
      assert.equal(await send(at, await signWebhook(cheaper, secret)), 204)
      assert.equal(await send(at, await signWebhook(ofOther, 'whsec_c29tZWJvZHkgZWxzZQ==')), 400)
      assert.equal(await send(at, await signWebhook(ofOther, secret, { at: hour })), 400)
      const altered = await signWebhook(ofOther, secret)
      assert.equal(await send(at, { ...altered, body: altered.body.replace(other.id, paid!) }), 400)
      assert.match(await (await fetch(`${at}/orders/${other.id}`)).text(), /Le 150\.00: unpaid/)
      assert.equal(running.text().match(/paid: order/g)?.length, 1)
      // A genuine payment that names the order, but with another amount.
      await pay(program, shop, 100, undefined, { reference: other.id })
      assert.match(await (await fetch(`${at}/orders/${other.id}`)).text(), /Le 150\.00: unpaid/)
      const ping = { ...event, type: 'webhook.ping', data: {} }
      assert.equal(await send(at, await signWebhook(ping, secret)), 204)
      const hostile = await fetch(`${at}/orders/%3Cscript%3E..%2F..%2F`)
      assert.equal(hostile.status, 404)
      assert.doesNotMatch(await hostile.text(), /<script/)

      // A full refund; a repeated click does not refund twice.
      const [command, ...args] = refund
      const refunds = [1, 2].map(() => run(command!, [...args, paymentId!], { cwd, env }))
      const [one, two] = (await Promise.all(refunds)).map(({ stdout }) => /rfd-\w+/.exec(stdout)?.[0])
      assert.ok(one && one === two, `${one} ${two}`)
      await running.prints(new RegExp(`refunded: order ${paid}`))
      assert.match(await (await fetch(back)).text(), /Le 150\.00: refunded/)
      const { refund: left } = (await call(shop, 'GET', `/v1/payments/${paymentId}`)).body.result
      assert.deepEqual([left.refunded.value, left.refundable.value], [15_000, 0])
    } finally {
      await running.stop()
    }
  })

test('the Express shop depends on the tested Express version', () => {
  const packageAt = (file: string) => JSON.parse(readFileSync(path.join(root, file), 'utf8'))
  const { dependencies } = packageAt('examples/express/package.json')
  assert.equal(dependencies.express, packageAt('package.json').devDependencies.express)
})

/** Returns the variables that examples/demo.sh exports. */
async function settingsOf(port: number) {
  const { stdout } = await run('bash', ['-euc', '. examples/demo.sh; printf %s "$PESEWA_WEBHOOK_SECRET"'], {
    cwd: root,
    env: { ...settings(), PORT: String(port) },
  })
  assert.match(stdout, /^whsec_\S+$/)
  return { ...settings(), PORT: String(port), PESEWA_WEBHOOK_SECRET: stdout }
}

const settings = () => ({
  PATH: `${path.dirname(process.execPath)}:${process.env.PATH}`,
  PESEWA_BASE_URL: shop.baseUrl,
  PESEWA_TOKEN: shop.testToken,
  PESEWA_SPACE: shop.spaceId,
})

/** Clicks "Pay" and returns the URL to which it leads. */
async function order(at: string) {
  const pressed = await fetch(`${at}/pay`, { method: 'POST', redirect: 'manual' })
  assert.equal(pressed.status, 303)
  const [session] = (await call(shop, 'GET', '/v1/checkout-sessions?limit=1')).body.result
  assert.equal(pressed.headers.get('location'), session.redirectUrl)
  return { redirectUrl: session.redirectUrl, id: session.reference }
}

async function send(at: string, { body, headers }: { body: string; headers: Record<string, string> }) {
  return (await fetch(`${at}/webhook`, { method: 'POST', body, headers })).status
}

function startShop([command, ...args]: string[], options: { cwd: string; env: NodeJS.ProcessEnv }) {
  const child = spawn(command!, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (more) => (text += more))
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  return {
    text: () => text,
    prints: async (form: RegExp) => {
      const since = performance.now()
      for (;;) {
        const found = form.exec(text)
        if (found) return found
        assert.ok(performance.now() - since < 30_000 && child.exitCode === null, text)
        await waitBeforeNextCheck(since)
      }
    },
    stop: () => {
      child.kill()
      return ended
    },
  }
}
