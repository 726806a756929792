import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Locator } from 'playwright-core'
import { until } from '../../../support/harness.ts'
import { createPayer } from '../../../support/payer.ts'
import { goTo, openConsole } from './stage.ts'

const stage = await openConsole()
after(() => stage.close())

/** Asserts that a row or page shows a logo, that it has loaded, and that it adds nothing for screen readers. */
async function assertLogo(within: Locator, id: string | RegExp): Promise<void> {
  const logos = await within.locator('img').evaluateAll((images) =>
    Promise.all(
      images.map(async (image) => {
        await image.decode()
        return { src: image.getAttribute('src'), width: image.naturalWidth, alt: image.alt }
      }),
    ),
  )
  const logo = logos.find(({ src }) => src?.replace('/provider-logos/', '').match(id))
  assert(logo, `no logo ${id} in ${JSON.stringify(logos)}`)
  assert(logo.width > 0)
  assert.equal(logo.alt, '')
}

test('the console and the receipt show the logos of the provider and of the card network', async () => {
  const shop = await stage.t.merchant({ name: 'Salone Fabrics' })
  const lineItems = [{ name: 'Cloth', price: { currency: 'SLE', value: 15_000 } }]
  const { result: session } = (await shop.call('POST', '/v1/checkout-sessions', { name: 'Cloth', lineItems }))
    .body
  const payer = createPayer(session.redirectUrl)
  await payer.pay('card')
  const cardPage = await until(async () => (await payer.look('/wait')).location ?? undefined)
  await payer.answer(cardPage, { answer: 'approve', card: 'visa' })
  const payment = await until(async () => {
    const { body } = await shop.call('GET', `/v1/payments?orderNumber=${session.orderNumber}`)
    return body.result[0]?.status === 'completed' && body.result[0]
  })
  await stage.open(shop, '/payments', async (page) => {
    for (const path of ['/payments', `/payments/${payment.id}`]) {
      await goTo(page, stage.addressOf(shop, path))
      await page.getByText('Visa …4242').waitFor()
      for (const id of [/^visa$/, /^card$/]) await assertLogo(page.locator('main'), id)
    }
    await page.goto(`${session.redirectUrl}/receipt`)
    const facts = page.locator('.facts')
    for (const words of ['Card', 'Visa ****4242'])
      await assertLogo(facts.locator('dd', { hasText: words }), /^[0-9a-f]{16}\.svg$/)
  })
})
