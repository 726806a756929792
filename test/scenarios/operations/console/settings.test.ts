import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openConsole, settled } from './stage.ts'

const stage = await openConsole()
after(() => stage.close())

test('an owner edits the branding with a preview, and payers see it', async () => {
  const shop = await stage.t.merchant({ name: 'Salone Fabrics' })
  const folder = mkdtempSync(join(tmpdir(), 'pesewa-logo-'))
  try {
    // Not square, and larger than a logo may be. The page converts it to a small PNG.
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" width="3000" height="1500"><rect width="3000" height="1500"/></svg>'
    writeFileSync(join(folder, 'logo.svg'), svg)
    writeFileSync(join(folder, 'notes.txt'), 'no picture')
    await stage.visit({ merchant: shop }, async (page) => {
      await page.goto(stage.addressOf(shop, '/settings'))
      await settled(page)
      const form = page.locator('form').first()
      await form.getByLabel('Name', { exact: true }).fill('Country Cloth')
      await form.getByLabel('Color').fill('#zz')
      await form.getByRole('button', { name: 'Save' }).click()
      await form.getByText('Enter a color such as #0f6b4f.').waitFor()
      await form.getByLabel('Color').fill('#07a')
      await page.locator('.preview').getByText('Country Cloth', { exact: true }).waitFor()
      assert.equal(
        await page.evaluate<string>("getComputedStyle(document.querySelector('.pay')).backgroundColor"),
        'rgb(0, 119, 170)',
      )
      await form.getByLabel('Logo').setInputFiles(join(folder, 'notes.txt'))
      await form.getByText('This image cannot be read.').waitFor()
      const png = await page.screenshot({ clip: { x: 0, y: 0, width: 900, height: 300 } })
      writeFileSync(join(folder, 'logo.png'), png)
      await form.getByLabel('Logo').setInputFiles(join(folder, 'logo.png'))
      await page.locator('.preview img').waitFor()
      await form.getByLabel('Support email').fill('help@shop.example')
      await form.getByRole('button', { name: 'Save' }).click()
      await form.getByText('Saved.').waitFor()
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
  const { result } = (await shop.call('GET', '/v1/settings')).body
  assert.deepEqual(
    [result.brand.name, result.brand.color, result.brand.supportEmail],
    ['Country Cloth', '#0077aa', 'help@shop.example'],
  )
  const logo = Buffer.from(await (await fetch(result.logoUrl)).arrayBuffer())
  assert.deepEqual([logo.readUInt32BE(16), logo.length <= 64 * 1024], [256, true])
})

test('keyboard only: the approval limit for payouts can be set', async () => {
  const shop = await stage.t.merchant()
  await stage.visit({ merchant: shop }, async (page) => {
    await page.goto(stage.addressOf(shop, '/settings'))
    await settled(page)
    await page.getByLabel('Payout approval limit in SLE').focus()
    await page.keyboard.type('nothing')
    await page.keyboard.press('Enter')
    await page.getByText('Enter a valid amount.').waitFor()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('1,500')
    await page.keyboard.press('Enter')
    await page.getByText('Saved.').waitFor()
  })
  const { result } = (await shop.call('GET', '/v1/settings')).body
  assert.deepEqual(result.payoutApprovalAbove, [{ currency: 'SLE', value: 150_000 }])
})

test('settings are read-only for members who may not change them', async () => {
  const shop = await stage.t.merchant()
  await shop.call('PATCH', '/v1/settings', { brand: { name: 'Country Cloth' } })
  const support = await stage.t.merchant({ sameSpaceAs: shop, role: 'support' })
  await stage.visit({ merchant: support }, async (page) => {
    await page.goto(stage.addressOf(shop, '/settings'))
    await settled(page)
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Country Cloth')
    assert.ok(await page.getByLabel('Name', { exact: true }).isDisabled())
    assert.equal(await page.getByRole('button', { name: 'Save' }).count(), 0)
  })
})
