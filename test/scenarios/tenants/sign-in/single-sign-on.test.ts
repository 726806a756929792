import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { after, test } from 'node:test'
import { Provider } from 'oidc-provider'
import type { Page } from 'playwright-core'
import { sql } from '../../../../packages/server/src/platform/db/sql.ts'
import { until } from '../../../support/harness.ts'
import { openConsole } from '../../operations/console/stage.ts'
import { assertUsable } from '../../operations/console/usable.ts'
import { namedSettings } from './authenticator.ts'
import { client } from './identity-provider.ts'
import { peopleOf } from './people.ts'

/**
 * Starts an independent provider implementation with its own pages, on a different site from the console. It
 * accepts every name.
 */
async function startForeignProvider(console: string) {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  assert.ok(address !== null && typeof address === 'object')
  const provider = new Provider(`http://127.0.0.1:${address.port}`, {
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: [`${console}/console/sign-in`],
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    findAccount: (_context: unknown, email: string) => ({
      accountId: email,
      claims: () => ({ sub: email, email, email_verified: true, name: 'Ama' }),
    }),
    cookies: { keys: ['a key of this test'] },
  })
  server.on('request', provider.callback())
  return {
    issuer: provider.issuer,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

const named = await namedSettings()
const provider = await startForeignProvider(named.BASE_URL)
const stage = await openConsole({
  settings: {
    ...named,
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: client.id,
    OIDC_CLIENT_SECRET: client.secret,
    OIDC_NAME: 'Example Ltd.',
  },
})
after(async () => {
  await stage.close()
  provider.close()
})
const { t } = stage
const { emailOf } = peopleOf(t)

/** Fills in the provider's pages: the login page and, at the first sign-in, the consent page. */
async function passProvider(page: Page, email: string, isFirst = true): Promise<void> {
  await page.waitForURL(`${provider.issuer}/**`)
  await page.locator('input[name=login]').fill(email)
  await page.locator('input[name=password]').fill('anything')
  await page.keyboard.press('Enter')
  if (isFirst) await page.getByRole('button', { name: 'Continue' }).press('Enter')
}

test('a user signs in at the identity provider by keyboard, arrives at the page they wanted, and steps up there', async () => {
  const person = await t.merchant()
  const email = await emailOf(person.userId)
  const context = await stage.browser.newContext({ locale: 'en', viewport: { width: 1280, height: 900 } })
  context.setDefaultTimeout(10_000)
  try {
    const page = await context.newPage()
    const goal = new URL(stage.addressOf(person, '/security'))
    await page.goto(`${t.baseUrl}/console/sign-in?to=${goal.pathname.replace(/^\/console/, '')}`)
    const button = page.getByRole('button', { name: 'Sign in with Example Ltd.' })
    await button.waitFor()
    await assertUsable(page, 'sign-in-provider')
    await button.focus()
    await page.keyboard.press('Enter')
    await passProvider(page, email)
    await page.waitForURL(goal.href)
    await page.getByText('Single sign-on', { exact: true }).waitFor()
    assert.equal(await page.evaluate('sessionStorage.length'), 0)
    assert.deepEqual(
      (await context.cookies()).filter(({ name }) => name === 'pesewa').map(({ httpOnly }) => httpOnly),
      [true],
    )

    await t.app.parts.db.transaction((tx) =>
      tx.run(sql`update sessions set fresh_until = now() where user_id = ${person.userId}`),
    )
    const begin = { headers: { origin: t.baseUrl }, data: {} }
    await expectStatus(page, begin, 403)
    await page.getByRole('button', { name: 'Add authenticator app' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Confirm it’s you' })
    await dialog.getByRole('button', { name: 'Sign in again with Example Ltd.' }).waitFor()
    await assertUsable(page, 'step-up-provider')
    await dialog.getByRole('button', { name: 'Sign in again with Example Ltd.' }).press('Enter')
    await passProvider(page, email, false)
    await page.waitForURL(goal.href)
    await expectStatus(page, begin, 200)
  } finally {
    await context.close()
  }
})

/** Waits until a request gets this status, because a node caches sessions for half a second. */
async function expectStatus(page: Page, begin: object, status: number): Promise<void> {
  await until(
    async () => (await page.request.post(`${t.baseUrl}/v1/passkeys/begin`, begin)).status() === status,
  )
}

test('a user unknown to this service sees why, and can sign in another way', async () => {
  const context = await stage.browser.newContext({ locale: 'fr', viewport: { width: 360, height: 800 } })
  context.setDefaultTimeout(10_000)
  try {
    const page = await context.newPage()
    await page.goto(`${t.baseUrl}/console/sign-in`)
    await page.getByRole('button', { name: 'Se connecter avec Example Ltd.' }).press('Enter')
    await passProvider(page, 'nobody@elsewhere.example')
    await page.getByRole('alert').getByText('Aucun utilisateur n’a votre adresse e-mail').waitFor()
    await page.getByRole('button', { name: 'Recevoir un lien par e-mail' }).waitFor()
    assert.equal(new URL(page.url()).search, '')
    await assertUsable(page, 'sign-in-provider-nobody')
  } finally {
    await context.close()
  }
})
