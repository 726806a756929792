import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { until } from '../../../support/harness.ts'
import { openConsole, settled } from './stage.ts'

const stage = await openConsole()
after(() => stage.close())

test('keyboard only: a refused request is found by ID, with its body masked', async () => {
  const shop = await stage.t.merchant()
  const refused = await shop.call('POST', '/v1/webhooks', { name: 'Orders', secret: 'hunter2 hunter2' })
  await shop.call('GET', '/v1/payments')
  const id = refused.headers.get('service-request-id') ?? ''
  await until(async () => (await shop.call('GET', `/v1/requests/${id}`)).status === 200)
  const developer = await stage.t.merchant({ sameSpaceAs: shop, role: 'developer' })
  await stage.visit({ merchant: developer }, async (page) => {
    await page.goto(stage.addressOf(developer, '/requests'))
    await settled(page)
    await page.getByLabel('Request ID').focus()
    await page.keyboard.type(id)
    await page.keyboard.press('Enter')
    await page.waitForURL(new RegExp(`requestId=${id}`))
    await settled(page)
    assert.equal(await page.locator('tbody tr').count(), 1)
    await page.locator('tbody a').first().focus()
    await page.keyboard.press('Enter')
    await page.getByText('arguments_invalid').waitFor()
    const kept = await page.locator('pre').textContent()
    assert.deepEqual(JSON.parse(kept ?? ''), { name: 'Orders', secret: '***' })
  })
})

test('an invalid request ID finds nothing, and an error links to its own request', async () => {
  const shop = await stage.t.merchant()
  await stage.visit({ merchant: shop, refusals: [404] }, async (page) => {
    await page.goto(stage.addressOf(shop, '/requests?requestId=nonsense'))
    await settled(page)
    assert.equal(await page.locator('tbody tr').count(), 0)
    await page.goto(stage.addressOf(shop, '/payments/nonsense'))
    const link = page.locator('.notice a', { hasText: /^req-/ })
    const id = (await link.textContent()) ?? ''
    await until(async () => (await shop.call('GET', `/v1/requests/${id}`)).status === 200)
    await link.click()
    await page.getByText('not_found').waitFor()
  })
})
