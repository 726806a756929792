import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { until } from '../../harness.ts'
import { listen } from '../../receiver.ts'
import { openConsole } from './stage.ts'

const stage = await openConsole()
const receiver = await listen()
const url = `http://127.0.0.1:${receiver.port}`
after(async () => {
  await stage.close()
  await receiver.close()
})

const { open } = stage

test('an endpoint is added by keyboard alone; its secret is shown once, and a test event arrives', async () => {
  const shop = await stage.t.merchant()
  await open(shop, '/webhooks', async (page) => {
    await page.getByRole('button', { name: 'Add an endpoint' }).focus()
    await page.keyboard.press('Enter')
    await page.getByLabel('Name').waitFor()
    await page.getByLabel('Name').focus()
    await page.keyboard.type('Orders')
    await page.keyboard.press('Tab')
    await page.keyboard.type(`${url}/hook`)
    await page.keyboard.press('Enter')
    const secret = await page.locator('dialog code').textContent()
    assert.match(secret ?? '', /^whsec_/)
    await page.keyboard.press('Escape')
    await page.getByRole('heading', { name: 'Orders' }).waitFor()
    assert.equal(await page.getByText(secret ?? 'no secret').count(), 0)
    await page.getByRole('button', { name: 'Send a test event' }).focus()
    await page.keyboard.press('Enter')
    // The list follows the events by itself.
    await page.getByRole('link', { name: 'webhook.ping' }).waitFor()
    await until(() => receiver.heads.length > 0)
    await page.locator('.status', { hasText: 'Delivered' }).waitFor()
  })
  const { result } = (await shop.call('GET', '/v1/webhooks')).body
  assert.deepEqual(
    result.map(({ name, url, events }: { name: string; url: string; events: string[] }) => [
      name,
      url,
      events,
    ]),
    [['Orders', `${url}/hook`, ['*']]],
  )
})

test('what is wrong with an address stands beside its field, and nothing is lost of what was typed', async () => {
  const shop = await stage.t.merchant()
  await open(
    shop,
    '/webhooks',
    async (page) => {
      await page.getByRole('button', { name: 'Add an endpoint' }).click()
      await page.getByLabel('Name').fill('Orders')
      await page.getByLabel('Address').fill('ftp://shop.example')
      await page.getByRole('button', { name: 'Add an endpoint' }).last().click()
      await page.locator('[aria-invalid]').waitFor()
      assert.equal(await page.getByLabel('Name').inputValue(), 'Orders')
    },
    [400],
  )
  assert.deepEqual((await shop.call('GET', '/v1/webhooks')).body.result, [])
})

test('a viewer sees endpoints, and no way to change them', async () => {
  const shop = await stage.t.merchant()
  const made = await shop.call('POST', '/v1/webhooks', {
    name: 'Orders',
    url: `${url}/hook`,
    events: ['*'],
  })
  const viewer = await stage.t.merchant({ beside: shop, role: 'viewer' })
  await open(viewer, `/webhooks/${made.body.result.id}`, async (page) => {
    assert.deepEqual(await page.locator('main button').allTextContents(), ['Filters', 'Apply'])
  })
})
