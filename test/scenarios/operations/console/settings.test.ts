import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { sql } from '../../../../packages/server/src/platform/db/sql.ts'
import { loadAxe } from '../../../support/accessibility.ts'
import { type Merchant, until } from '../../../support/harness.ts'
import { openConsole, settled } from './stage.ts'
import { assertLooks, looksIn } from './usable.ts'

const stage = await openConsole()
after(() => stage.close())

const name = (page: Page) => page.getByLabel('Name', { exact: true })
const color = (page: Page) => page.getByLabel('Color', { exact: true })
const save = (page: Page) => page.getByRole('button', { name: 'Save' })
const status = (page: Page) => page.locator('.save-bar [role=status]')
/** The page in the preview, without the next one that is still loading. */
const preview = (page: Page) => page.locator('.phone iframe').first().contentFrame()
const savedOf = async (shop: Merchant) => (await shop.call('GET', '/v1/settings')).body.result

/** Returns the bodies of the changes that the page sends. */
function changesOf(page: Page): unknown[] {
  const bodies: unknown[] = []
  page.on('request', (request) => request.method() === 'PATCH' && bodies.push(request.postDataJSON()))
  return bodies
}

/** Drops a file on the field for the logo, or pastes it. */
const give = (page: Page, event: 'drop' | 'paste', type: string, content: Buffer | string) =>
  page.locator('.drop').evaluate(
    (field, { event, type, base64 }) => {
      const { DataTransfer, File, DragEvent, ClipboardEvent } = field.ownerDocument.defaultView
      const data = new DataTransfer()
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
      data.items.add(new File([bytes], 'file', { type }))
      const init = { bubbles: true, cancelable: true, dataTransfer: data, clipboardData: data }
      field.dispatchEvent(event === 'drop' ? new DragEvent('drop', init) : new ClipboardEvent('paste', init))
    },
    { event, type, base64: Buffer.from(content).toString('base64') },
  )

/** Returns the background of an element. */
const backgroundOf = (of: Locator): Promise<string> =>
  of.evaluate((element) => element.ownerDocument.defaultView.getComputedStyle(element).backgroundColor)

const svg = (content: string, size = 'width="3000" height="1500"') =>
  `<svg xmlns="http://www.w3.org/2000/svg" ${size}>${content}</svg>`
const twoColors =
  '<rect width="3000" height="1500" fill="#07a"/><rect width="900" height="1500" fill="#fa0"/>'

/** Draws an SVG, so that there is a PNG of it. */
async function pngOf(source: string): Promise<Buffer> {
  const page = await stage.browser.newPage({ viewport: { width: 300, height: 150 } })
  await page.goto(`data:image/svg+xml,${encodeURIComponent(source)}`)
  const png = await page.screenshot()
  await page.close()
  return png
}

test('an owner edits the branding with a preview of the real page, and payers see it', async () => {
  const shop = await stage.t.merchant({ name: 'Salone Fabrics' })
  await stage.open(shop, '/settings', async (page) => {
    const history = await page.evaluate<number>('history.length')
    await preview(page).getByText('Salone Fabrics').first().waitFor()
    await name(page).fill('Country Cloth')
    await color(page).fill('#zz')
    await save(page).click()
    await page.getByText('Enter a color such as #0f6b4f.').waitFor()
    await color(page).fill('#07a')
    await page.getByText('The text on your buttons is white, with a contrast of 5.0 to 1.').waitFor()
    await page.getByLabel('Support email').fill('help@shop.example')
    await give(page, 'drop', 'image/svg+xml', svg(twoColors))
    await page.locator('.drop img').waitFor()
    await preview(page).getByText('Country Cloth').first().waitFor()
    await preview(page).locator('img.logo').waitFor()
    await preview(page).getByText('help@shop.example').waitFor()
    const pay = preview(page).getByRole('button', { name: /^Pay/ }).first()
    assert.equal(await backgroundOf(pay), 'rgb(0, 119, 170)')
    await page.getByRole('button', { name: 'Paid' }).click()
    await preview(page).locator('.sign-good').waitFor()
    await page.getByRole('button', { name: 'Dark' }).click()
    await preview(page).locator('meta[content=dark]').waitFor({ state: 'attached' })
    assert.equal(await backgroundOf(preview(page).locator('body')), 'rgb(16, 20, 24)')
    assert.equal(
      await page.evaluate<number>('history.length'),
      history,
      'Back does not lead through previews',
    )
    await save(page).click()
    await status(page).getByText('Saved.').waitFor()
    assert.equal(await color(page).inputValue(), '#0077aa')
  })
  const { brand, logoUrl } = await savedOf(shop)
  assert.deepEqual(
    [brand.name, brand.color, brand.supportEmail],
    ['Country Cloth', '#0077aa', 'help@shop.example'],
  )
  const logo = Buffer.from(await (await fetch(logoUrl)).arrayBuffer())
  assert.deepEqual([logo.readUInt32BE(16), logo.readUInt32BE(20), logo.length <= 64 * 1024], [256, 128, true])
})

test('one Save sends the changes of all sections, and only these', async () => {
  const shop = await stage.t.merchant()
  await shop.call('PATCH', '/v1/settings', { brand: { name: 'Cloth' }, refundsWhenShort: 'queue' })
  await stage.open(shop, '/settings', async (page) => {
    const changes = changesOf(page)
    assert.ok(await save(page).isDisabled())
    await page.getByLabel('Address').fill('12 Siaka Stevens Street')
    await page.getByLabel('Payout approval limit in SLE').fill('1,500')
    await page.getByLabel('Fee on a refunded payment').selectOption('yes')
    await status(page).getByText('You have unsaved changes.').waitFor()
    await save(page).click()
    await status(page).getByText('Saved.').waitFor()
    assert.deepEqual(changes, [
      {
        brand: { address: '12 Siaka Stevens Street' },
        payoutApprovalAbove: [{ currency: 'SLE', value: 150_000 }],
        returnsPaymentFee: true,
      },
    ])
    assert.equal(await page.getByLabel('Payout approval limit in SLE').inputValue(), '1500.00')
    assert.equal(await page.getByLabel('Fee on a refunded payment').inputValue(), 'yes')
    assert.ok(await save(page).isDisabled())
    await name(page).fill('Oil')
    await page.getByRole('button', { name: 'Discard changes' }).click()
    assert.equal(await name(page).inputValue(), 'Cloth')
    await status(page).getByText('You have unsaved changes.').waitFor({ state: 'detached' })
  })
  const { brand, refundsWhenShort } = await savedOf(shop)
  assert.deepEqual([brand.name, refundsWhenShort], ['Cloth', 'queue'])
})

for (const language of ['en', 'fr'] as const)
  test(`a refused field is focused with its error, nothing is saved, and the form keeps the rest, in ${language}`, async () => {
    const shop = await stage.t.merchant()
    const visit = { merchant: shop, language, refusals: [400] }
    await stage.visit(visit, async (page) => {
      await page.goto(stage.addressOf(shop, '/settings'))
      await settled(page)
      const field = (of: string) => page.locator(`[name="${of}"]`)
      await field('name').fill('Orange Money')
      await field('payoutApprovalAbove SLE').fill('700')
      await field('receiptsBySms').selectOption('yes')
      await give(page, 'drop', 'image/png', await pngOf(svg(twoColors)))
      await page.locator('.swatch').first().waitFor()
      const submit = page.locator('.save-bar .main')
      await submit.click()
      await page.locator('.save-bar [role=alert]').waitFor()
      await page.locator('[name=name][aria-invalid]:focus').waitFor()
      assert.deepEqual(
        [await field('payoutApprovalAbove SLE').inputValue(), await field('receiptsBySms').inputValue()],
        ['700', 'yes'],
      )
      await loadAxe(page)
      await assertLooks(page, `settings-refused-${language}`, looksIn[language])
      assert.deepEqual((await savedOf(shop)).payoutApprovalAbove, [])
      await field('name').fill('Kadi')
      await submit.click()
      await status(page)
        .getByText(language === 'en' ? 'Saved.' : 'Enregistré.', { exact: true })
        .waitFor()
      const { brand, logoUrl, payoutApprovalAbove, receiptsBySms } = await savedOf(shop)
      assert.deepEqual(
        [brand.name, logoUrl !== null, payoutApprovalAbove, receiptsBySms],
        ['Kadi', true, [{ currency: 'SLE', value: 70_000 }], true],
      )
    })
  })

test('leaving the page or closing the tab with unsaved changes asks first', async () => {
  const shop = await stage.t.merchant()
  await stage.open(shop, '/settings', async (page) => {
    const team = page.getByRole('link', { name: 'Team' })
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' })
    await name(page).fill('Cloth')
    await status(page).getByText('You have unsaved changes.').waitFor()
    await team.click()
    await dialog.getByRole('button', { name: 'Stay on this page' }).waitFor()
    await loadAxe(page)
    await assertLooks(page, 'settings-leave', looksIn.en)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    assert.equal(await name(page).inputValue(), 'Cloth')
    assert.match(page.url(), /\/settings$/)
    // Closing the tab asks as well, with a question of the browser.
    const [question] = await Promise.all([page.waitForEvent('dialog'), page.close({ runBeforeUnload: true })])
    assert.equal(question.type(), 'beforeunload')
    await question.dismiss()
    await team.click()
    await dialog.getByRole('button', { name: 'Leave without saving' }).click()
    await page.waitForURL(/\/team$/)
    await page.getByRole('link', { name: 'Home' }).first().click()
    await page.waitForURL(/\/test\/?$/)
  })
  await stage.open(shop, '/settings', async (page) => {
    await name(page).fill('Cloth')
    await page.keyboard.press('Enter')
    await status(page).getByText('Saved.').waitFor()
    await page.getByRole('link', { name: 'Team' }).click()
    await page.waitForURL(/\/team$/)
  })
  assert.equal((await savedOf(shop)).brand.name, 'Cloth')
})

test('a dropped or pasted logo offers its colours, which the keyboard can choose', async () => {
  const shop = await stage.t.merchant()
  await stage.open(shop, '/settings', async (page) => {
    const swatches = page.getByRole('group', { name: 'Colors of your logo' }).getByRole('button')
    const labels = () => swatches.evaluateAll((all) => all.map((each) => each.getAttribute('aria-label')))
    await give(
      page,
      'drop',
      'image/png',
      await pngOf(svg('<rect width="300" height="150" fill="#c00"/>', '')),
    )
    await swatches.first().waitFor()
    assert.deepEqual(await labels(), ['#cc0000'])
    await give(page, 'paste', 'image/svg+xml', svg(twoColors))
    await page.getByRole('button', { name: '#ffaa00' }).waitFor()
    assert.deepEqual(await labels(), ['#0077aa', '#ffaa00'])
    await loadAxe(page)
    await assertLooks(page, 'settings-swatches', looksIn.en)
    await page.getByRole('button', { name: '#ffaa00' }).focus()
    await page.keyboard.press('Enter')
    assert.equal(await color(page).inputValue(), '#ffaa00')
    assert.equal(await page.getByRole('button', { name: '#ffaa00' }).getAttribute('aria-pressed'), 'true')
    await page.getByText('The text on your buttons is black').waitFor()
    await page.getByLabel('Color picker').fill('#123456')
    assert.equal(await color(page).inputValue(), '#123456')
    await page.getByRole('button', { name: 'Remove logo' }).click()
    await swatches.first().waitFor({ state: 'detached' })
  })
})

test('files that cannot be a logo are refused with the reason, and the logo stays as it was', async () => {
  const shop = await stage.t.merchant()
  await stage.open(shop, '/settings', async (page) => {
    await give(page, 'drop', 'image/png', await pngOf(svg(twoColors)))
    const logo = page.locator('.drop img')
    await logo.waitFor()
    const before = await logo.getAttribute('src')
    const type = 'image/svg+xml'
    const files: [type: string, content: Buffer | string, message: string][] = [
      ['image/png', '', 'This file is empty.'],
      ['image/png', Buffer.alloc(10 * 1024 * 1024), 'This file is larger than 5 MB.'],
      [type, svg('<script>alert(1)</script>'), 'This SVG contains a script.'],
      [type, svg('<rect onclick = "alert(1)"/>'), 'This SVG contains a script.'],
      [type, svg('<a href="javascript:alert(1)"/>'), 'This SVG contains a script.'],
      [type, '<svg', 'This file is not an image that your browser can read.'],
      ['image/png', 'no picture', 'This file is not an image that your browser can read.'],
      ['text/plain', 'no picture', 'This file is not an image that your browser can read.'],
      ['text/html', '<script>alert(1)</script>', 'This file is not an image that your browser can read.'],
    ]
    for (const [type, content, message] of files) {
      await give(page, 'drop', type, content)
      await page
        .locator('.field', { has: page.locator('.drop') })
        .locator('.fault', { hasText: message })
        .waitFor()
      assert.equal(await page.getByLabel('Logo', { exact: true }).getAttribute('aria-invalid'), 'true')
    }
    assert.equal(await logo.getAttribute('src'), before)
    await give(page, 'drop', 'image/png', await pngOf(svg(twoColors)))
    await page.locator('.fault').waitFor({ state: 'detached' })
  })
})

test('an old sign-in is confirmed in place, and then everything is saved', async () => {
  const shop = await stage.t.merchant()
  await stage.visit({ merchant: shop, refusals: [403] }, async (page) => {
    await page.goto(stage.addressOf(shop, '/settings'))
    await settled(page)
    await stage.t.app.parts.db.transaction((tx) =>
      tx.run(sql`update sessions set fresh_until = now() where user_id = ${shop.userId}`),
    )
    // A node caches sessions for half a second.
    const begin = { headers: { origin: stage.t.baseUrl }, data: {} }
    const stale = async () =>
      (await page.request.post(`${stage.t.baseUrl}/v1/totp/begin`, begin)).status() === 403
    await until(stale)
    await name(page).fill('Cloth')
    await page.getByLabel('Tax number').fill('TIN 1')
    await save(page).click()
    const dialog = page.getByRole('dialog', { name: 'Confirm it’s you' })
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.locator('.save-bar [role=alert]').waitFor()
    assert.equal(await page.getByLabel('Tax number').inputValue(), 'TIN 1')
    await save(page).click()
    await dialog.getByRole('button', { name: 'Email me a code' }).click()
    const shown = await dialog.getByRole('status').textContent()
    await dialog.getByLabel('Code').fill(/\d{3} \d{3}/.exec(shown ?? '')?.[0] ?? '')
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    await status(page).getByText('Saved.').waitFor()
  })
  const { brand } = await savedOf(shop)
  assert.deepEqual([brand.name, brand.taxNumber], ['Cloth', 'TIN 1'])
})

test('keyboard only: the approval limit for payouts can be set', async () => {
  const shop = await stage.t.merchant()
  await stage.open(shop, '/settings', async (page) => {
    await page.getByLabel('Payout approval limit in SLE').focus()
    await page.keyboard.type('nothing')
    await page.keyboard.press('Enter')
    await page.getByText('Enter a valid amount.').waitFor()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('1,500')
    await page.keyboard.press('Enter')
    await status(page).getByText('Saved.').waitFor()
  })
  assert.deepEqual((await savedOf(shop)).payoutApprovalAbove, [{ currency: 'SLE', value: 150_000 }])
})

test('settings are read-only for members who may not change them', async () => {
  const shop = await stage.t.merchant()
  await shop.call('PATCH', '/v1/settings', { brand: { name: 'Country Cloth' } })
  const support = await stage.t.merchant({ sameSpaceAs: shop, role: 'support' })
  await stage.visit({ merchant: support }, async (page) => {
    await page.goto(stage.addressOf(shop, '/settings'))
    await settled(page)
    assert.equal(await name(page).inputValue(), 'Country Cloth')
    assert.ok(await name(page).isDisabled())
    assert.equal(await save(page).count(), 0)
    await give(page, 'drop', 'image/svg+xml', svg(twoColors))
    await preview(page).getByText('Country Cloth').first().waitFor()
    assert.equal(await page.locator('.drop img').count(), 0)
  })
})
