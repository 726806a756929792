import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { sql } from '../../../../packages/server/src/platform/db/sql.ts'
import { loadAxe } from '../../../support/accessibility.ts'
import { type Merchant, until } from '../../../support/harness.ts'
import { startMailbox } from '../../../support/smtp.ts'
import { openConsole, settled } from './stage.ts'
import { assertLooks, assertUsable, looksIn } from './usable.ts'

const mailbox = await startMailbox()
const stage = await openConsole({ settings: { SMTP_URL: mailbox.url } })
const { t } = stage
after(async () => {
  await stage.close()
  await mailbox.close()
})

const { open } = stage
const row = (page: Page, text: string) => page.locator('tbody tr', { hasText: text })
const emailOf = async ({ userId }: Merchant) =>
  (await t.app.parts.db.only<{ email: string }>(sql`select email from users where id = ${userId}`)).email
const linkTo = (email: string) =>
  until(async () => {
    const mail = mailbox.received.findLast(({ to }) => to.includes(email))?.data
    return /http\S+#invitation=\S+/.exec(mail?.replace(/=\n/g, '').replace(/=3D/g, '=') ?? '')?.[0]
  })

test('keyboard only: an invited member joins by the emailed link with the chosen role', async () => {
  const shop = await t.merchant({ name: 'Lappa House' })
  await open(shop, '/team', async (page) => {
    const { keyboard } = page
    await page.getByRole('button', { name: 'Invite member' }).focus()
    await keyboard.press('Enter')
    await page.getByLabel('Email').focus()
    await keyboard.type('ama@shop.example')
    await keyboard.press('Tab')
    await keyboard.type('Finance')
    await page.getByText('Manages money, approves payouts and refunds, and views the audit log.').waitFor()
    await keyboard.press('Tab')
    await keyboard.press('Enter')
    await page.getByText('An invitation was sent to ama@shop.example.').waitFor()
    await row(page, 'ama@shop.example').getByText('Pending').waitFor()
  })
  const link = await linkTo('ama@shop.example')
  const context = await stage.browser.newContext({ locale: 'en' })
  const page = await context.newPage()
  await page.goto(link ?? '')
  await page.getByText('Join Lappa House as a…@shop.example (Finance)?').waitFor()
  await page.getByRole('button', { name: 'Join', exact: true }).press('Enter')
  await page.locator('nav a').first().waitFor()
  assert.ok(page.url().startsWith(`${t.baseUrl}/console/${shop.spaceId}/test`), page.url())
  assert.ok(
    !(await page.evaluate<string>('location.href + JSON.stringify(history.state)')).includes('invitation'),
  )
  const tabsOf = async (section: string) => {
    await page.locator(`.menu .${section} a`).click()
    return page.locator('.tabs .label').allTextContents()
  }
  const labels = [...(await tabsOf('settings')), ...(await tabsOf('developers'))]
  assert.deepEqual(
    ['Audit log', 'Team', 'Access tokens'].map((label) => labels.includes(label)),
    [true, false, false],
  )
  const other = await stage.browser.newContext({ locale: 'en' })
  const second = await other.newPage()
  await second.goto(link ?? '')
  await second.getByText('This invitation was already accepted').waitFor()
  await Promise.all([context.close(), other.close()])
})

test('a role can be changed and a member removed, except for the last owner', async () => {
  const shop = await t.merchant()
  const member = await t.merchant({ sameSpaceAs: shop, role: 'viewer' })
  const [own, theirs] = [await emailOf(shop), await emailOf(member)]
  const dialog = (page: Page) => page.locator('dialog')
  await open(
    shop,
    '/team',
    async (page) => {
      await page.getByRole('button', { name: `Change role ${theirs}` }).click()
      await page.getByLabel('Role', { exact: true }).selectOption({ label: 'Developer' })
      await dialog(page).getByRole('button', { name: 'Save' }).click()
      await row(page, theirs).getByText('Developer').waitFor()
      await page.getByRole('button', { name: `Change role ${own}` }).click()
      await page.getByLabel('Role', { exact: true }).selectOption({ label: 'Viewer' })
      await dialog(page).getByRole('button', { name: 'Save' }).click()
      await page.getByText('This is the last owner of the Space').waitFor()
      await page.keyboard.press('Escape')
      await row(page, theirs).getByRole('button', { name: 'Remove' }).click()
      await dialog(page).getByRole('button', { name: 'Remove' }).click()
      await row(page, theirs).waitFor({ state: 'detached' })
    },
    [409],
  )
  assert.equal((await shop.call('GET', '/v1/members')).body.result.length, 1)
})

test('an invitation can be resent and withdrawn; an invalid address is not sent', async () => {
  const shop = await t.merchant()
  await shop.call('POST', '/v1/invitations', { email: 'kofi@shop.example', role: 'viewer' })
  await open(
    shop,
    '/team',
    async (page) => {
      await page.getByRole('button', { name: 'Resend' }).click()
      await page.getByText('An invitation was sent to kofi@shop.example.').waitFor()
      await page.getByRole('button', { name: 'Withdraw' }).click()
      await page.locator('dialog').getByRole('button', { name: 'Withdraw' }).click()
      await row(page, 'kofi@shop.example').getByText('Withdrawn').waitFor()
      await page.getByRole('button', { name: 'Invite member' }).click()
      await page.getByLabel('Email').fill('kofi')
      await page.locator('dialog').getByRole('button', { name: 'Invite member' }).click()
      assert.equal(await page.locator('input:invalid').count(), 1)
      await page.getByLabel('Email').fill(await emailOf(shop))
      await page.getByLabel('Role', { exact: true }).selectOption({ label: 'Viewer' })
      await page.locator('dialog').getByRole('button', { name: 'Invite member' }).click()
      await page.getByText('This person is already a member.').waitFor()
    },
    [409],
  )
})

test('an admin cannot manage owners, and a viewer cannot manage anyone', async () => {
  const shop = await t.merchant()
  const admin = await t.merchant({ sameSpaceAs: shop, role: 'admin' })
  const viewer = await t.merchant({ sameSpaceAs: shop, role: 'viewer' })
  const [owners, viewers] = [await emailOf(shop), await emailOf(viewer)]
  await open(admin, '/team', async (page) => {
    await row(page, viewers).getByRole('button', { name: 'Remove' }).waitFor()
    assert.equal(await row(page, owners).getByRole('button').count(), 0)
    await page.getByRole('button', { name: 'Invite member' }).click()
    assert.deepEqual(await page.getByLabel('Role', { exact: true }).locator('option').allTextContents(), [
      'Choose a role',
      'Admin',
      'Developer',
      'Finance',
      'Support',
      'Viewer',
    ])
  })
  await open(viewer, '/team', async (page) => {
    await row(page, owners).waitFor()
    assert.deepEqual(await page.locator('main button').allTextContents(), [])
  })
})

test('keyboard only: a token is created, shown once, works, and can be rolled and revoked', async () => {
  const shop = await t.merchant()
  const works = (token: string) =>
    fetch(`${t.baseUrl}/v1/payments`, {
      headers: { authorization: `Bearer ${token}`, 'service-space-id': shop.spaceId },
    }).then(({ status }) => status)
  await open(shop, '/access-tokens', async (page) => {
    const { keyboard } = page
    await page.getByRole('button', { name: 'Create token' }).focus()
    await keyboard.press('Enter')
    await page.getByLabel('Name').focus()
    await keyboard.type('Website')
    await keyboard.press('Enter')
    await page.getByText('Choose at least one permission.').waitFor()
    await page.getByLabel('payments:read').focus()
    await keyboard.press('Space')
    await keyboard.press('Enter')
    const shown = page.locator('dialog code')
    const text = (await shown.textContent()) ?? ''
    assert.match(text, /^psw_test_/)
    await page.getByRole('button', { name: 'Copy' }).waitFor()
    assert.equal(await works(text), 200)
    await keyboard.press('Escape')
    await row(page, 'Website').getByText(text.slice(-4)).waitFor()
    await shown.waitFor({ state: 'detached' })
    assert.equal(await page.getByText(text).count(), 0)
    await page.getByRole('button', { name: 'Roll Website' }).click()
    await page.getByLabel('Old token expires').selectOption({ label: 'Immediately' })
    await page.locator('dialog').getByRole('button', { name: 'Roll' }).click()
    await page.getByRole('heading', { name: 'Your new token' }).waitFor()
    const next = (await shown.textContent()) ?? ''
    assert.ok(next !== text && (await works(next)) === 200)
    await until(async () => (await works(text)) === 401)
    await keyboard.press('Escape')
    const newer = row(page, next.slice(-4))
    await newer.getByRole('button', { name: 'Revoke' }).click()
    await page.locator('dialog').getByRole('button', { name: 'Revoke' }).click()
    await newer.getByText('Revoked').waitFor()
    await until(async () => (await works(next)) === 401)
    await page.getByRole('navigation', { name: 'Status' }).getByRole('link', { name: 'Revoked' }).click()
    await newer.waitFor()
    assert.equal(new URL(page.url()).search, '?status=revoked')
  })
})

test('a preset token has the permissions for its use, within those of its creator', async () => {
  const shop = await t.merchant()
  const developer = await t.merchant({ sameSpaceAs: shop, role: 'developer' })
  const scopesOf = async (maker: Merchant, use: string) => {
    await open(maker, '/access-tokens', async (page) => {
      await page.getByRole('button', { name: 'Create token' }).click()
      await page.getByLabel('Name').fill(use)
      await page.getByRole('radio', { name: use }).check()
      await assertUsable(page, `token-${use.toLowerCase().replace(' ', '-')}`, looksIn.en)
      await page.locator('dialog').getByRole('button', { name: 'Create token' }).click()
      await page.locator('dialog code').waitFor()
    })
    const { result } = (await maker.call('GET', '/v1/access-tokens')).body
    return result.find(({ name }: { name: string }) => name === use).scopes
  }
  assert.deepEqual(await scopesOf(shop, 'Make payouts'), [
    'payouts:write',
    'balances:read',
    'provider-kyc:read',
    'events:read',
  ])
  const reading: string[] = await scopesOf(developer, 'Read everything')
  assert.ok(reading.length > 5 && reading.every((scope) => scope.endsWith(':read')))
  assert.ok(!reading.includes('members:read'))
})

test('an invalid network is refused next to its field', async () => {
  const shop = await t.merchant()
  await open(
    shop,
    '/access-tokens',
    async (page) => {
      await page.getByRole('button', { name: 'Create token' }).click()
      await page.getByLabel('Name').fill('Till')
      await page.getByLabel('Everything your role allows').check()
      await page.getByLabel('Allowed networks').fill('10.0.0.0')
      await page.locator('dialog').getByRole('button', { name: 'Create token' }).click()
      await page.locator('[aria-invalid][name=networks]').waitFor()
      assert.equal(await page.getByLabel('Name').inputValue(), 'Till')
    },
    [400],
  )
})

test('a viewer sees only their own tokens and cannot create any; finance sees no tokens', async () => {
  const shop = await t.merchant()
  const viewer = await t.merchant({ sameSpaceAs: shop, role: 'viewer' })
  const finance = await t.merchant({ sameSpaceAs: shop, role: 'finance' })
  await open(viewer, '/access-tokens', async (page) => {
    assert.equal(await page.locator('tbody tr').count(), 1)
    assert.equal(await page.getByRole('button', { name: 'Create token' }).count(), 0)
  })
  await stage.visit({ merchant: finance }, async (page) => {
    await page.goto(stage.addressOf(finance, '/access-tokens'))
    await page.getByRole('heading', { name: 'Your role does not give you access to this page' }).waitFor()
  })
})

test('the audit log can be filtered by action, keeps the filter in the URL and can be downloaded', async () => {
  const shop = await t.merchant()
  await shop.call('POST', '/v1/access-tokens', { name: 'Website', scopes: ['payments:read'] })
  await shop.call('POST', '/v1/invitations', { email: 'esi@shop.example', role: 'viewer' })
  await open(shop, '/audit', async (page) => {
    const rows = page.locator('tbody tr')
    await row(page, 'invitation.create').waitFor()
    assert.equal(await rows.count(), 2)
    await page.locator('.filters summary', { hasText: 'Action' }).click()
    await page.getByLabel('Action', { exact: true }).fill('token.create')
    await page.keyboard.press('Enter')
    await row(page, 'invitation.create').waitFor({ state: 'detached' })
    assert.equal(new URL(page.url()).search, '?action=token.create')
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download CSV' }).click(),
    ])
    const lines = readFileSync(await file.path(), 'utf8')
      .trim()
      .split(/\r?\n/)
    assert.deepEqual([lines.length, lines[1]?.includes('token.create')], [2, true])
    await page.reload()
    await row(page, 'Website').waitFor()
    assert.equal(await rows.count(), 1)
  })
})

for (const language of ['en', 'fr'] as const)
  test(`the audit log shows old and new values of changed fields only, in ${language}`, async () => {
    const shop = await t.merchant()
    const change = (body: object) => shop.call('PATCH', '/v1/settings', body)
    await change({ brand: { name: 'Salone Fabrics', color: '#0a7d4f' } })
    const more = { payoutApprovalAbove: [{ currency: 'SLE', value: 100_000 }] }
    const { status } = await change({ brand: { name: 'Salone Cloth', color: '#0a7d4f' }, ...more })
    assert.equal(status, 200)
    await stage.visit({ merchant: shop, language }, async (page) => {
      await page.goto(stage.addressOf(shop, '/audit'))
      await settled(page)
      const newest = await page.locator('tbody tr').first().innerText()
      assert.match(newest, /brand\.name: Salone Fabrics → Salone Cloth/)
      assert.match(
        newest,
        language === 'en' ? /payoutApprovalAbove: none → Le 1,000\.00/ : /payoutApprovalAbove: aucun → /,
      )
      assert.doesNotMatch(newest, /object Object|color|reminder/)
      await loadAxe(page)
      await assertLooks(page, `audit-changes-${language}`, looksIn[language])
    })
  })
