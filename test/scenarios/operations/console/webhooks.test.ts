import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { loadAxe } from '../../../support/accessibility.ts'
import { until } from '../../../support/harness.ts'
import { listen } from '../../../support/receiver.ts'
import { openConsole, shoot } from './stage.ts'
import { assertLooks, looksIn } from './usable.ts'

const stage = await openConsole()
const receiver = await listen()
const url = `http://127.0.0.1:${receiver.port}`
after(async () => {
  await stage.close()
  await receiver.close()
})

const { open } = stage

test('keyboard only: an endpoint is added, its secret is shown once, and a test event is delivered', async () => {
  const shop = await stage.t.merchant()
  await open(shop, '/webhooks', async (page) => {
    await page.getByRole('button', { name: 'Add endpoint' }).focus()
    await page.keyboard.press('Enter')
    await page.getByLabel('Name').waitFor()
    await page.getByLabel('Name').focus()
    await page.keyboard.type('Orders')
    await page.keyboard.press('Tab')
    await page.keyboard.type(`${url}/hook`)
    await page.keyboard.press('Enter')
    const secret = await page.locator('dialog code').textContent()
    assert.match(secret ?? '', /^whsec_/)
    // Focus is in the dialog, and its last button closes it.
    await page.getByRole('button', { name: 'Close', exact: true }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Orders' }).waitFor()
    assert.equal(await page.getByText(secret ?? 'no secret').count(), 0)
    await page.getByRole('button', { name: 'Send test event' }).focus()
    await page.keyboard.press('Enter')
    // The list updates automatically.
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

test('an invalid URL is refused next to its field, and other input is kept', async () => {
  const shop = await stage.t.merchant()
  await open(
    shop,
    '/webhooks',
    async (page) => {
      await page.getByRole('button', { name: 'Add endpoint' }).click()
      await page.getByLabel('Name').fill('Orders')
      await page.getByLabel('URL').fill('ftp://shop.example')
      await page.getByRole('button', { name: 'Add endpoint' }).last().click()
      await page.locator('[aria-invalid]').waitFor()
      assert.equal(await page.getByLabel('Name').inputValue(), 'Orders')
    },
    [400],
  )
  assert.deepEqual((await shop.call('GET', '/v1/webhooks')).body.result, [])
})

test('a validation error is shown once, at its field and in the user’s language', async () => {
  const shop = await stage.t.merchant()
  await stage.visit({ merchant: shop, language: 'fr', refusals: [400] }, async (page) => {
    await page.goto(stage.addressOf(shop, '/webhooks'))
    await page.getByRole('button', { name: 'Ajouter un endpoint' }).click()
    await page.getByLabel('Nom').fill('Commandes')
    await page.getByLabel('URL', { exact: true }).fill('https://shop.example/hook')
    await page.getByLabel('E-mails d’alerte').fill('not an address')
    await page.locator('dialog button[type=submit]').click()
    const field = page.locator('dialog .field', { has: page.locator('[aria-invalid]') })
    await field.locator('.fault').waitFor()
    const dialog = await page.locator('dialog').innerText()
    assert.match(dialog, /Certaines valeurs ne sont pas valides\. Vérifiez les champs signalés\./)
    assert.doesNotMatch(dialog, /alertEmails|must|Some|see details/)
    assert.equal(await page.locator('dialog .fault').count(), 1)
    await shoot(page, 'refused-fr')
  })
})

for (const language of ['en', 'fr'] as const)
  test(`a failing webhook is marked in the list, on its page and in its deliveries, in ${language}`, async () => {
    const shop = await stage.t.merchant()
    const made = await shop.call('POST', '/v1/webhooks', {
      name: 'Orders',
      url: 'http://127.0.0.1:9/hook',
      events: ['webhook.*'],
    })
    const { id } = made.body.result
    assert.equal(made.body.result.failingSinceTime, null)
    await shop.call('POST', `/v1/webhooks/${id}/ping`, {})
    const read = async () => (await shop.call('GET', `/v1/webhooks/${id}`)).body.result
    await until(async () => (await read()).failingSinceTime !== null)
    const [failing, since, notTaken] =
      language === 'en'
        ? ['Failing', 'No event has been delivered since', 'Not delivered yet']
        : ['En échec', 'Aucun événement n’a été reçu depuis le', 'Pas encore reçu']
    await stage.visit({ merchant: shop, language }, async (page) => {
      await page.goto(stage.addressOf(shop, '/webhooks'))
      await page.locator('.status.bad', { hasText: failing }).waitFor()
      await loadAxe(page)
      await assertLooks(page, `webhooks-failing-${language}`, looksIn[language])
      await page.goto(stage.addressOf(shop, `/webhooks/${id}`))
      await page.locator('.notice.bad', { hasText: since }).waitFor()
      await page.locator('.facts .status.bad', { hasText: failing }).waitFor()
      await page.locator('td .status.bad', { hasText: notTaken }).waitFor()
      await loadAxe(page)
      await assertLooks(page, `webhook-failing-${language}`, looksIn[language])
    })
  })

test('a viewer can read endpoints but not change them', async () => {
  const shop = await stage.t.merchant()
  const made = await shop.call('POST', '/v1/webhooks', {
    name: 'Orders',
    url: `${url}/hook`,
    events: ['*'],
  })
  const viewer = await stage.t.merchant({ sameSpaceAs: shop, role: 'viewer' })
  await open(viewer, `/webhooks/${made.body.result.id}`, async (page) => {
    assert.deepEqual(await page.locator('main button').allTextContents(), [])
  })
})
