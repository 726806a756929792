import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { stepAt, totpCode } from '../../packages/server/src/tenants/sign-in/totp.ts'
import { bytesOf, cookieOf } from '../scenarios/tenants/sign-in/people.ts'
import {
  ask,
  makeDatabase,
  makeFolder,
  makeShop,
  runProgram,
  type Shop,
  startProgram,
  waitUntil,
} from '../support/program.ts'
import { startMailbox } from '../support/smtp.ts'

// Without a mail server, mails and their links are written to the log.
const mailbox = await startMailbox()
after(() => mailbox.close())

test('recovery codes, authenticator keys and sign-in links appear in neither log', async () => {
  const { url, connection } = await makeDatabase()
  const secretKey = 'planted secret key of more than 32 characters'
  const given = { DATABASE_URL: url, DATA_DIR: makeFolder(), SECRET_KEY: secretKey }
  const noisy = { ...given, LOG_LEVEL: 'debug', RATE_LIMITS: 'off', SMTP_URL: mailbox.url }
  const program = await startProgram(['serve', '--work'], noisy)
  const shop = await makeShop(given, program.baseUrl)
  const { post, look } = browserIn(shop)
  const printed = async (...args: string[]): Promise<string> =>
    JSON.parse((await runProgram(['users', ...args, '--json'], given)).stdout).link

  const invitation = await printed('invite', 'ama@shop.example', '--space', shop.spaceId, '--role', 'owner')
  const [, invited = ''] = invitation.split('#invitation=')
  await waitUntil(program, () => mailbox.received.some(({ to }) => to.includes('ama@shop.example')))
  const session = cookieOf((await post('/v1/sign-in/invitation', { secret: invited })).cookies, 'pesewa')
  const { secret: key, uri } = (await post('/v1/totp/begin', {}, session)).result
  const code = totpCode(bytesOf(key), stepAt(new Date()))
  const { recoveryCodes }: { recoveryCodes: string[] } = (await post('/v1/totp', { code }, session)).result
  const [used, unused] = recoveryCodes
  const link = await printed('sign-in-link', '--email', 'ama@shop.example')
  const [, secret = ''] = link.split('#link=')
  const step = cookieOf((await post('/v1/sign-in/link/redeem', { secret })).cookies, 'pesewa-second-step')
  const { status, cookies } = await post('/v1/sign-in/code', { code: used }, step)
  assert.equal(status, 200)
  const again = cookieOf(cookies, 'pesewa')

  // Used, malformed and misplaced values are refused.
  for (const [path, body, cookie] of [
    ['/v1/sign-in/link/redeem', { secret }, ''],
    ['/v1/sign-in/link/redeem', `{"secret":"${secret}"`, ''],
    ['/v1/sign-in/invitation', { secret: invited, [invited]: invited }, ''],
    ['/v1/sign-in/code', { code: used }, step],
    ['/v1/step-up/code', { code: used }, again],
    ['/v1/step-up/code', `{"code":"${unused}`, again],
    [`/v1/step-up/code?code=${unused}`, { code: [unused, key] }, again],
    [`/v1/sign-in/link/${secret}`, {}, ''],
    [`/v1/totp?${new URLSearchParams({ uri })}`, { code: uri }, again],
  ] as const)
    assert.ok([400, 401, 404, 409].includes((await post(path, body, cookie)).status), path)
  const astray = [
    await post('/v1/webhooks', { name: link, url: invitation, code: unused, secret: key, uri }, again),
    await post('/v1/webhooks', { recoveryCodes, metadata: { secret, uri: [uri], totpSecret: key } }, again),
    await look(`/v1/payments/${secret}?code=${unused}`, again),
    await look(`/v1/payments/${key}`, again),
  ]
  assert.deepEqual(
    astray.map((answer) => answer.status),
    [400, 400, 400, 404],
  )
  const rowsOf = () => ask(connection, 'select row_to_json(each)::text as text from api_requests each')
  await waitUntil(program, async () => (await rowsOf()).length === astray.length)
  const kept = (await rowsOf()).map(({ text }) => text).join('\n')
  assert.match(kept, /recoveryCodes/, 'bodies are in the request log')
  const ended = await program.stop()
  assert.equal(ended.code, 0, ended.stderr.slice(-3000))
  const logged = ended.stdout + ended.stderr
  assert.match(logged, /"level":(20|30)/, 'something was logged')

  const secrets = [
    ...[secret, invited].map((text) => text.split('.')[1] ?? ''),
    ...[session, step, again].map((cookie) => cookie.split('=')[1] ?? ''),
    ...recoveryCodes.flatMap((each) => [each, each.replaceAll('-', ''), each.slice(0, 9)]),
    key,
  ]
  for (const each of secrets) {
    assert.ok(each.length >= 9, 'there is a secret to look for')
    assert.ok(!logged.includes(each), `${each} is in the program’s log`)
    assert.ok(!kept.includes(each), `${each} is in the request log`)
  }
})

/** Calls the API as the console does. */
function browserIn({ baseUrl, spaceId }: Shop) {
  const call = async (path: string, cookie: string, init: RequestInit) => {
    const headers = {
      ...{ cookie, origin: baseUrl, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
      ...{ 'service-space-id': spaceId, 'service-environment': 'test' },
    }
    const answer = await fetch(baseUrl + path, { ...init, headers })
    // biome-ignore lint/suspicious/noExplicitAny: parsed from the response
    const { result }: any = await answer.json()
    return { status: answer.status, result, cookies: answer.headers.getSetCookie() }
  }
  return {
    look: (path: string, cookie: string) => call(path, cookie, { method: 'GET' }),
    post: (path: string, body: unknown, cookie = '') =>
      call(path, cookie, {
        method: 'POST',
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
  }
}
