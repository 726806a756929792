import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { sql } from '../../../src/platform/db/sql.ts'
import { until } from '../../harness.ts'
import { openConsole, settled, shoot } from '../console/stage.ts'
import { addAuthenticator, namedSettings } from './authenticator.ts'

const stage = await openConsole({ settings: await namedSettings() })
after(() => stage.close())
const { t } = stage
const { db } = t.app.parts

/** Carries out what stands under a name by the keyboard alone. */
async function press(page: Page, name: string): Promise<void> {
  const button = page.getByRole('button', { name, exact: true }).last()
  await button.waitFor()
  await button.focus()
  await page.keyboard.press('Enter')
}

const makeStale = (userId: string) =>
  db.transaction((tx) => tx.run(sql`update sessions set fresh_until = now() where user_id = ${userId}`))

test('by keyboard alone a passkey is added and signs in; it is asked again where that is long ago, and what was begun goes on', async () => {
  const person = await t.merchant()
  await stage.visit({ merchant: person, refusals: [401, 403] }, async (page) => {
    await addAuthenticator(page)
    await page.goto(stage.addressOf(person, '/'))
    await settled(page)
    await page.getByRole('link', { name: 'Sign-in and security' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('No passkey yet.').waitFor()
    const add = async (name: string) => {
      await press(page, 'Add a passkey')
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
    // A node believes for half a second what it has read of a session.
    const begin = { headers: { origin: t.baseUrl }, data: {} }
    await until(
      async () => (await page.request.post(`${t.baseUrl}/v1/passkeys/begin`, begin)).status() === 403,
    )
    await page.getByRole('link', { name: 'Sign-in and security' }).click()
    await press(page, 'Remove')
    await page.getByRole('dialog').getByText('It will sign you in no more.').waitFor()
    await press(page, 'Remove')
    await press(page, 'Use a passkey')
    await page.getByText('No passkey yet.').waitFor()
    await page.reload()
    await page.getByRole('cell', { name: 'Passkey (again)' }).first().waitFor()
    await shoot(page, 'security-after')
  })
})
