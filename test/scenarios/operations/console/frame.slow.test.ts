import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { until } from '../../../support/harness.ts'
import { fund } from '../../../support/money.ts'
import { payTo } from './shop.ts'
import { openConsole, settled, shoot } from './stage.ts'

const stage = await openConsole()
after(() => stage.close())

test('badges count what the member may decide or repair, with one request, and change without reloading', async () => {
  const shop = await stage.t.merchant()
  await fund(stage.t.app.parts, shop.scope, 5_000_000)
  await shop.call('PATCH', '/v1/settings', { payoutApprovalAbove: [{ currency: 'SLE', value: 1_000 }] })
  await shop.call('POST', '/v1/payouts', payTo('076123456'))
  const made = await shop.call('POST', '/v1/webhooks', {
    ...{ name: 'Orders', url: 'http://127.0.0.1:9/hook', events: ['webhook.*'] },
  })
  const { id } = made.body.result
  await shop.call('POST', `/v1/webhooks/${id}/ping`, {})
  await until(
    async () => (await shop.call('GET', `/v1/webhooks/${id}`)).body.result.failingSinceTime !== null,
  )
  await stage.visit({ merchant: shop }, async (page) => {
    let requests = 0
    page.on('request', (request) => {
      if (request.url().endsWith('/v1/overview/attention')) requests++
    })
    await page.goto(stage.addressOf(shop, '/payments'))
    await settled(page)
    await page.getByRole('link', { name: 'Payouts 1 awaiting approval' }).waitFor()
    await page.getByRole('link', { name: 'Developers 1 failing webhook' }).waitFor()
    assert.equal(await page.locator('.menu .badge').count(), 2)
    assert.equal(requests, 1)
    await page.locator('.live.on').waitFor()
    await shop.call('POST', '/v1/payouts', payTo('076123457'))
    await page.getByRole('link', { name: 'Payouts 2 awaiting approval' }).click()
    await page.getByRole('link', { name: 'Approvals 2 awaiting approval' }).waitFor()
  })
  const viewer = await stage.t.merchant({ sameSpaceAs: shop, role: 'viewer' })
  await stage.open(viewer, '/payments', async (page) => {
    await page.getByRole('link', { name: 'Developers 1 failing webhook' }).waitFor()
    assert.equal(await page.locator('.menu .badge').count(), 1)
  })
})

test('on a phone, the menu is a drawer: Escape closes it and returns the focus, and so does leaving it', async () => {
  const shop = await stage.t.merchant()
  await stage.visit({ merchant: shop, viewport: { width: 360, height: 740 } }, async (page) => {
    await page.goto(stage.addressOf(shop, '/payments'))
    await settled(page)
    const button = page.locator('.menu-button')
    await button.click()
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Home')
    await page.keyboard.press('Escape')
    await page.locator('.menu').waitFor({ state: 'hidden' })
    assert.ok(await button.evaluate((element) => element === element.ownerDocument.activeElement))
    await button.click()
    await page.mouse.click(350, 400)
    await page.locator('.menu').waitFor({ state: 'hidden' })
    await button.click()
    await page.locator('.menu .payouts a').click()
    await page.getByRole('heading', { name: 'Payouts', level: 1 }).waitFor()
    await page.locator('.menu').waitFor({ state: 'hidden' })
    assert.equal(await page.evaluate('document.activeElement.id'), 'content')
  })
})

test('the menu scrolls independently, and its last entry can be reached in a low window', async () => {
  const shop = await stage.t.merchant({ isOperator: true })
  await stage.visit({ merchant: shop, viewport: { width: 1280, height: 400 } }, async (page) => {
    await page.goto(stage.addressOf(shop, '/payments'))
    await settled(page)
    await page.mouse.move(100, 200)
    await page.mouse.wheel(0, 2_000)
    await until(async () => (await page.evaluate<number>('document.querySelector(".menu").scrollTop')) > 0)
    assert.equal(await page.evaluate('scrollY'), 0)
    await page.locator('.menu .installation a').click()
    await page.getByRole('heading', { name: 'Health', level: 1 }).waitFor()
  })
})

test('operators enter the installation by a link, find its own menu there and return to their Space', async () => {
  const shop = await stage.t.merchant({ isOperator: true })
  await stage.visit({ merchant: shop }, async (page) => {
    await page.goto(stage.addressOf(shop, '/'))
    await settled(page)
    await page.locator('.menu .installation a').click()
    await page.getByRole('heading', { name: 'Health', level: 1 }).waitFor()
    assert.deepEqual(await page.locator('.entries li .label').allTextContents(), [
      'Health',
      'Providers',
      'Month-end',
      'Reconciliation',
      'Spaces',
    ])
    // Its pages always concern the live environment, so there is no switch.
    assert.equal(await page.getByRole('group', { name: 'Environment' }).count(), 0)
    await page.getByRole('link', { name: /^Back to / }).click()
    await page.getByRole('group', { name: 'Environment' }).waitFor()
  })
})

test('the switch of the environment keeps the page, and leaves an object for its list', async () => {
  const shop = await stage.t.merchant()
  const { result } = (await shop.call('POST', '/v1/payment-codes', { name: 'Fees' })).body
  await stage.visit({ merchant: shop }, async (page) => {
    await page.goto(stage.addressOf(shop, `/payment-codes/${result.id}`))
    await settled(page)
    await page.getByRole('button', { name: 'Live', exact: true }).click()
    await page.waitForURL(`**/console/${shop.spaceId}/live/payment-codes`)
    await page.getByRole('heading', { name: 'Payment codes', level: 1 }).waitFor()
  })
})

test('in forced colors, the environment, the current page and filter, and each status can be told apart', async () => {
  const shop = await stage.t.merchant()
  await fund(stage.t.app.parts, shop.scope, 5_000_000)
  await shop.call('POST', '/v1/payouts', payTo('076123456'))
  await stage.visit({ merchant: shop, forcedColors: 'active' }, async (page) => {
    await page.goto(stage.addressOf(shop, '/payouts'))
    await settled(page)
    const look = (selector: string, property: string) =>
      page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}'))['${property}']`)
    for (const [chosen, other] of [
      ['.environment [aria-pressed=true]', '.environment [aria-pressed=false]'],
      ['.entries [aria-current]', '.entries a:not([aria-current])'],
      ['.tabs [aria-current]', '.tabs a:not([aria-current])'],
      ['.states [aria-current]', '.states a:not([aria-current])'],
    ] as const)
      assert.notEqual(await look(chosen, 'backgroundColor'), await look(other, 'backgroundColor'), chosen)
    const chosen = ['.environment [aria-pressed=true]', '.tabs [aria-current]'] as const
    assert.equal(await look(chosen[0], 'color'), await look(chosen[1], 'color'))
    for (const framed of ['.environment', '.frame .test', 'td .status'])
      assert.equal(await look(framed, 'borderTopStyle'), 'solid', framed)
    await shoot(page, 'forced-colors')
  })
})

test('the skip link keeps the tabs and the heading in view, and navigation draws no frame around the page', async () => {
  const shop = await stage.t.merchant()
  await stage.visit({ merchant: shop, viewport: { width: 1280, height: 420 } }, async (page) => {
    await page.goto(stage.addressOf(shop, '/settings'))
    await settled(page)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    for (const shown of [page.locator('.tabs'), page.getByRole('heading', { level: 1 })]) {
      const bar = await page.locator('.frame > header').boundingBox()
      const { y = 0 } = (await shown.boundingBox()) ?? {}
      assert.ok(y >= (bar?.height ?? 0), `it begins at ${y} px, below the bar`)
    }
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search' }).waitFor()
    await page.keyboard.type('Webhooks')
    await page.getByRole('option', { name: 'Webhooks' }).first().waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/webhooks$/)
    await settled(page)
    assert.equal(await page.evaluate('document.activeElement.id'), 'content')
    assert.equal(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle'), 'none')
  })
})
