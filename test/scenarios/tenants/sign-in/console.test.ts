import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { sql } from '../../../../packages/server/src/platform/db/sql.ts'
import { stepAt, totpCode } from '../../../../packages/server/src/tenants/sign-in/totp.ts'
import { until } from '../../../support/harness.ts'
import { openConsole, settled, shoot } from '../../operations/console/stage.ts'
import { assertUsable } from '../../operations/console/usable.ts'
import { addAuthenticator, namedSettings } from './authenticator.ts'
import { bytesOf, peopleOf } from './people.ts'

const stage = await openConsole({ settings: await namedSettings() })
after(() => stage.close())
const { t } = stage
const { db } = t.app.parts
const { linkSecret } = peopleOf(t)

/** Activates the control with this name by keyboard. */
async function press(page: Page, name: string): Promise<void> {
  const button = page.getByRole('button', { name, exact: true }).last()
  await button.waitFor()
  await button.focus()
  await page.keyboard.press('Enter')
}

const makeStale = (userId: string) =>
  db.transaction((tx) => tx.run(sql`update sessions set fresh_until = now() where user_id = ${userId}`))

test('with the keyboard alone, a passkey is added and signs in; after an hour it is requested again, and the interrupted action completes', async () => {
  const person = await t.merchant()
  await stage.visit({ merchant: person, refusals: [401, 403] }, async (page) => {
    await addAuthenticator(page)
    await page.goto(stage.addressOf(person, '/'))
    await settled(page)
    await page.locator('.account summary').focus()
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Sign-in and security' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('No passkeys yet.').waitFor()
    const add = async (name: string) => {
      await press(page, 'Add passkey')
      await page.getByLabel('Name').focus()
      await page.keyboard.type(name)
      await page.keyboard.press('Enter')
    }
    await add('My phone')
    await page.getByRole('cell', { name: 'My phone' }).waitFor()

    await page.context().clearCookies()
    await page.goto(`${t.baseUrl}/console/sign-in`)
    await press(page, 'Sign in with a passkey')
    await page.locator('nav a').first().waitFor()

    await makeStale(person.userId)
    // A node caches sessions for half a second.
    const begin = { headers: { origin: t.baseUrl }, data: {} }
    await until(
      async () => (await page.request.post(`${t.baseUrl}/v1/passkeys/begin`, begin)).status() === 403,
    )
    await page.locator('.account summary').click()
    await page.getByRole('link', { name: 'Sign-in and security' }).click()
    await press(page, 'Remove')
    await page.getByRole('dialog').getByText('You will no longer be able to sign in with it.').waitFor()
    await press(page, 'Remove')
    await press(page, 'Use a passkey')
    await page.getByText('No passkeys yet.').waitFor()
    await page.reload()
    await page.getByRole('cell', { name: 'Passkey (confirmation)' }).first().waitFor()
    await shoot(page, 'security-after')
  })
})

test('passkeys are offered under a host name but not with an IP address', async () => {
  const context = await stage.browser.newContext({ locale: 'en' })
  try {
    const page = await context.newPage()
    const isOffered = async (address: string) => {
      await page.goto(`${address}/console/sign-in`)
      await page.getByLabel('Email').waitFor()
      return page.getByRole('button', { name: 'Sign in with a passkey' }).isVisible()
    }
    assert.equal(await isOffered(t.baseUrl), true)
    assert.equal(await isOffered(t.baseUrl.replace('localhost', '127.0.0.1')), false)
    // Requests from that origin are refused, so the page shows the console's URL.
    await page
      .getByRole('alert')
      .getByRole('link', { name: `${t.baseUrl}/console` })
      .waitFor()
  } finally {
    await context.close()
  }
})

/** Returns the code that an authenticator app would show for the key on the page. */
const codeFor = (key: string) => totpCode(bytesOf(key), stepAt(new Date()))

test('with the keyboard alone, an authenticator app is added; a link then requires its code, or a recovery code instead', async () => {
  const person = await t.merchant()
  let key = ''
  let codes: string[] = []
  await stage.visit({ merchant: person }, async (page) => {
    await page.goto(stage.addressOf(person, '/security'))
    await settled(page)
    await press(page, 'Add authenticator app')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor()
    key = (await dialog.locator('code').first().textContent()) ?? ''
    await assertUsable(page, 'totp-add')
    await dialog.getByRole('textbox', { name: 'Code' }).fill(codeFor(key))
    await dialog.getByRole('textbox', { name: 'Code' }).press('Enter')
    await dialog.getByText('They won’t be shown again').waitFor()
    codes = await dialog.locator('li code').allTextContents()
    await assertUsable(page, 'totp-codes')
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Download' }).click(),
    ])
    assert.equal(readFileSync(await file.path(), 'utf8'), `${codes.join('\n')}\n`)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await press(page, 'Copy Your recovery codes')
    await dialog.getByText('Copied').waitFor()
    const pasted = await page.evaluate('navigator.clipboard.readText()')
    assert.equal(pasted, `${codes.join('\n')}\n`)
    await press(page, 'I have saved the codes')
    await page.getByText('Recovery codes left').waitFor()
  })
  assert.equal(new Set(codes).size, 10)

  const context = await stage.browser.newContext({ locale: 'en' })
  try {
    const page = await context.newPage()
    const link = async () => page.goto(`${t.baseUrl}/console/sign-in#link=${await linkSecret(person.userId)}`)
    await link()
    await press(page, 'Sign in')
    await page.getByText('One more step: enter your code.').waitFor()
    await assertUsable(page, 'sign-in-code')
    await page.getByLabel('Code').fill('000000')
    await page.getByLabel('Code').press('Enter')
    await page.getByRole('alert').waitFor()
    // Before the code is entered, the session cannot read anything, not even /v1/me.
    assert.equal((await page.request.get(`${t.baseUrl}/v1/me`)).status(), 401)
    await press(page, 'Use a recovery code')
    await page.getByLabel('Recovery code').fill(codes[0]?.toLowerCase() ?? '')
    await page.getByLabel('Recovery code').press('Enter')
    await page.locator('nav a').first().waitFor()

    await page.goto(stage.addressOf(person, '/security'))
    await page.getByText('Recovery code', { exact: true }).waitFor()
    await makeStale(person.userId)
    const begin = { headers: { origin: t.baseUrl }, data: {} }
    await until(
      async () => (await page.request.post(`${t.baseUrl}/v1/passkeys/begin`, begin)).status() === 403,
    )
    await press(page, 'Remove app')
    await page.getByText('You will need only an email link to sign in.').waitFor()
    await press(page, 'Remove app')
    const dialog = page.getByRole('dialog', { name: 'Confirm it’s you' })
    await dialog.getByLabel('Code').waitFor()
    await press(page, 'Use a recovery code')
    await dialog.getByLabel('Recovery code').fill(codes[1] ?? '')
    await dialog.getByLabel('Recovery code').press('Enter')
    await page.getByRole('button', { name: 'Add authenticator app' }).waitFor()
  } finally {
    await context.close()
  }
})

for (const language of ['en', 'fr'] as const)
  test(`without a passkey or an app, a code by email confirms in place, and the form is sent as it was entered (${language})`, async () => {
    const person = await t.merchant()
    const words = {
      en: [
        'Confirm it’s you',
        'Email me a code',
        'Code',
        'Confirm',
        'Send a new code',
        'Invite member',
        'Code by email (confirmation)',
      ],
      fr: [
        'Confirmez que c’est vous',
        'M’envoyer un code',
        'Code',
        'Confirmer',
        'Envoyer un nouveau code',
        'Inviter un membre',
        'Code par e-mail (confirmation)',
      ],
    }[language]
    const [title = '', send = '', label = '', confirm = '', again = '', invite = '', method = ''] = words
    await stage.visit({ merchant: person, language, refusals: [401, 403] }, async (page) => {
      await page.goto(stage.addressOf(person, '/team'))
      await settled(page)
      await makeStale(person.userId)
      const begin = { headers: { origin: t.baseUrl }, data: {} }
      await until(async () => (await page.request.post(`${t.baseUrl}/v1/totp/begin`, begin)).status() === 403)
      await press(page, invite)
      const form = page.getByRole('dialog').first()
      await form.locator('input[type=email]').fill('kofi@shop.example')
      await form.locator('select').selectOption('viewer')
      await form.locator('input[type=email]').press('Enter')
      const dialog = page.getByRole('dialog', { name: title })
      await dialog.getByRole('button', { name: send }).waitFor()
      await assertUsable(page, `step-up-mail-${language}`)
      await dialog.getByRole('button', { name: send }).press('Enter')
      const shown = await dialog.getByRole('status').textContent()
      const code = /\d{3} \d{3}/.exec(shown ?? '')?.[0] ?? ''
      const field = dialog.getByRole('textbox', { name: label })
      assert.ok(
        await field.evaluate((input) => input === input.ownerDocument.activeElement),
        'it has the focus',
      )
      await field.fill(code === '000 000' ? '111111' : '000000')
      await dialog.getByRole('button', { name: confirm, exact: true }).press('Enter')
      await dialog.getByRole('alert').or(dialog.locator('.fault')).first().waitFor()
      await assertUsable(page, `step-up-mail-wrong-${language}`)
      await dialog.getByRole('button', { name: again }).press('Enter')
      await until(async () => (await dialog.getByRole('status').textContent()) !== shown)
      const second = /\d{3} \d{3}/.exec((await dialog.getByRole('status').textContent()) ?? '')?.[0] ?? ''
      await field.fill(second)
      await field.press('Enter')
      await page.getByRole('dialog').first().waitFor({ state: 'detached' })
      await page.getByRole('cell', { name: 'kofi@shop.example' }).first().waitFor()
      await page.goto(stage.addressOf(person, '/security'))
      await page.getByRole('cell', { name: method }).first().waitFor()
    })
  })
