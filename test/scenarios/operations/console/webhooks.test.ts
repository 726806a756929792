import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { after, test } from 'node:test'
import { loadAxe } from '../../../support/accessibility.ts'
import { type Merchant, until } from '../../../support/harness.ts'
import { answerOk, listen } from '../../../support/receiver.ts'
import { openConsole, shoot } from './stage.ts'
import { assertLooks, assertUsable, looksIn } from './usable.ts'

const stage = await openConsole()
let isDown = false
const receiver = await listen((socket) =>
  isDown
    ? socket.write('HTTP/1.1 503 Busy\r\nretry-after: 3600\r\ncontent-length: 13\r\n\r\nout of stock!')
    : answerOk(socket),
)
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

/** Creates a webhook whose endpoint is down and pings it. The next retry is an hour away. */
async function failingWebhook(shop: Merchant, pings = 1): Promise<{ id: string; deliveryId: string }> {
  isDown = true
  const body = { name: 'Ama’s and Kofi\'s "orders" $HOME', url: `${url}/hook`, events: ['webhook.*'] }
  const { id } = (await shop.call('POST', '/v1/webhooks', body)).body.result
  for (let i = 0; i < pings; i++) await shop.call('POST', `/v1/webhooks/${id}/ping`, {})
  const deliveries = await until(async () => {
    const { result } = (await shop.call('GET', `/v1/webhooks/${id}/deliveries`)).body
    return (
      result.length === pings && result.every((each: { attempts: [] }) => each.attempts.length > 0) && result
    )
  })
  isDown = false
  return { id, deliveryId: deliveries[0].id }
}

test('an owner finds out why a delivery failed, and resends it', async () => {
  const shop = await stage.t.merchant()
  const { deliveryId } = await failingWebhook(shop)
  await open(shop, '/webhooks', async (page) => {
    await page.locator('td', { hasText: 'Response 503' }).waitFor()
    assert.equal(await page.locator('.ticks i').count(), 24)
    assert.equal(await page.locator('.ticks i.bad').count(), 1)
    assert.equal(await page.locator('.day').innerText(), '0%')
    await page.locator('a.row').click()
    await page.locator('.notice.bad', { hasText: 'Your server had an internal error.' }).waitFor()
    await page.getByRole('link', { name: 'Not delivered yet' }).click()
    await page.getByRole('link', { name: 'webhook.ping' }).click()
    await page.locator('.notice.bad', { hasText: 'Response 503' }).waitFor()
    const attempt = await page.locator('.attempt').innerText()
    assert.match(attempt, /out of stock!/)
    assert.match(attempt, /retry-after: 3600/)
    await page.getByRole('button', { name: 'Resend' }).click()
    await page.locator('.notice.good', { hasText: 'Your server accepted the event.' }).waitFor()
    await page.locator('.facts .status', { hasText: 'Delivered' }).waitFor()
    assert.equal(await page.locator('.attempt').count(), 2)
  })
  const { result } = (await shop.call('GET', `/v1/deliveries/${deliveryId}`)).body
  assert.equal(result.status, 'delivered')
  await open(shop, '/webhooks', async (page) => {
    await page.getByText('50%').waitFor()
  })
})

test('the curl command of a delivery is safe to run and repeats the request byte for byte', async () => {
  const shop = await stage.t.merchant()
  const { deliveryId } = await failingWebhook(shop)
  const { request } = (await shop.call('GET', `/v1/deliveries/${deliveryId}`)).body.result
  await open(shop, `/deliveries/${deliveryId}`, async (page) => {
    const command = await page.locator('pre', { hasText: 'curl -i' }).textContent()
    // A function replaces curl, and prints its arguments.
    const printed = execFileSync('sh', ['-c', `curl() { printf '%s\\0' "$@"; }\n${command}`], {
      encoding: 'utf8',
    })
    const values = printed.split('\0')
    assert.deepEqual(values.slice(0, 4), ['-i', '-X', 'POST', request.url])
    assert.equal(values[values.indexOf('--data-raw') + 1], request.body)
    assert.ok(values.includes(`webhook-id: ${JSON.parse(request.body).id}`))
    await page.getByRole('button', { name: 'Copy Repeat with curl' }).waitFor()
  })
})

test('all failed events are resent at once, without waiting for their next retry', async () => {
  const shop = await stage.t.merchant()
  const { id } = await failingWebhook(shop, 2)
  await open(shop, `/webhooks/${id}`, async (page) => {
    await page.getByRole('button', { name: 'Resend failed events' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Resend' }).click()
    await page.locator('.notice.good', { hasText: 'All 2 events were delivered.' }).waitFor()
    await page.locator('td .status.good', { hasText: 'Delivered' }).nth(1).waitFor()
  })
})

test('an owner changes the URL of a failing webhook, resends what failed, and sees that all of it was delivered', async () => {
  const shop = await stage.t.merchant()
  const { id } = await failingWebhook(shop, 3)
  const events = async () => (await shop.call('GET', `/v1/webhooks/${id}`)).body.result.events
  const chosen = await events()
  await open(shop, `/webhooks/${id}`, async (page) => {
    const notice = page.locator('.notice.bad')
    await notice.locator('code', { hasText: `${url}/hook` }).waitFor()
    await notice.getByRole('button', { name: 'Edit URL' }).click()
    const dialog = page.getByRole('dialog')
    const field = dialog.getByLabel('URL')
    assert.ok(await field.evaluate((element) => element === element.ownerDocument.activeElement))
    await field.fill(`${url}/new`)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page
      .getByText('The URL was changed. 3 events have not been delivered yet. Resend them now?')
      .waitFor()
    assert.deepEqual(await events(), chosen)
    await assertUsable(page, 'webhook-moved', looksIn.en)
    await page.getByRole('button', { name: 'Resend failed events' }).click()
    await dialog.getByRole('button', { name: 'Resend' }).click()
    await page.locator('.notice.good', { hasText: 'All 3 events were delivered.' }).waitFor()
    await page.locator('.notice.bad').first().waitFor({ state: 'detached' })
    await page.locator('.badge.bad').first().waitFor({ state: 'detached' })
  })
  await open(shop, '/webhooks', async (page) => {
    assert.equal(await page.locator('td', { hasText: 'Response 503' }).count(), 0)
  })
})

test('an example of an event type is sent, and the response to it is shown', async () => {
  const shop = await stage.t.merchant()
  const { id } = await failingWebhook(shop)
  for (const [type, fails] of [
    ['refund.completed', false],
    ['payout.failed', true],
  ] as const) {
    isDown = fails
    await open(shop, `/webhooks/${id}`, async (page) => {
      await page.getByLabel('Event type').selectOption(type)
      await page.getByRole('button', { name: 'Send example' }).click()
      const outcome = page.locator('section', { has: page.getByLabel('Event type') })
      await outcome.locator('code', { hasText: type }).waitFor()
      await outcome.locator('.attempt', { hasText: fails ? 'out of stock!' : 'Response 200' }).waitFor()
      if (fails) await assertUsable(page, 'webhook-example', looksIn.en)
    })
  }
  isDown = false
})

test('examples are offered only in the test environment', async () => {
  const shop = await stage.t.merchant({ environment: 'live' })
  const body = { name: 'Orders', url: 'https://shop.example/hook', events: ['webhook.*'] }
  const { id } = (await shop.call('POST', '/v1/webhooks', body)).body.result
  await open(shop, `/webhooks/${id}`, async (page) => {
    await page.getByRole('button', { name: 'Send test event' }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Send example' }).count(), 0)
  })
})

test('a viewer sees why a delivery failed, but neither its signature nor a way to resend it', async () => {
  const shop = await stage.t.merchant()
  const { id, deliveryId } = await failingWebhook(shop)
  const viewer = await stage.t.merchant({ sameSpaceAs: shop, role: 'viewer' })
  await open(viewer, `/deliveries/${deliveryId}`, async (page) => {
    await page.locator('.attempt', { hasText: 'out of stock!' }).waitFor()
    await page.getByText('You cannot see the signature').waitFor()
    assert.match(
      (await page.locator('pre', { hasText: 'curl -i' }).textContent()) ?? '',
      /-signature: \*{4}'/,
    )
    assert.equal(await page.getByRole('button', { name: 'Resend' }).count(), 0)
  })
  await open(viewer, `/webhooks/${id}`, async (page) => {
    await page.locator('.notice.bad').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Resend failed events' }).count(), 0)
    assert.equal(await page.getByText('Send an example').count(), 0)
  })
})
