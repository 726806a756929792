import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openConsole, shoot } from './stage.ts'

// Posters of payment links, and the code to dial on them.

const stage = await openConsole()
after(() => stage.close())
const merchant = await stage.t.merchant()

const makeLink = async (body: object) => {
  const item = { name: 'Ticket', price: { currency: 'SLE', value: 15_000 } }
  const answer = await merchant.call('POST', '/v1/payment-links', {
    name: 'Concert',
    lineItems: [item],
    ...body,
  })
  return answer.body.result as { id: string }
}

test('a member adds a code to dial to a link, which the poster then shows, and renews it', async () => {
  const { id } = await makeLink({})
  await stage.open(merchant, `/payment-links/${id}`, async (page) => {
    await page.getByRole('button', { name: 'Add a code for 30 days' }).click()
    await page.getByRole('button', { name: 'Renew for 30 days' }).click()
    await shoot(page, 'link-with-code')
    const { body } = await merchant.call('GET', `/v1/payment-codes?q=${id}`)
    const [{ ussdCode, amount, mode }, ...others] = body.result
    assert.deepEqual([amount, mode, others], [{ currency: 'SLE', value: 15_000 }, 'recurrent', []])
    const [poster] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('link', { name: 'Poster' }).click(),
    ])
    await poster.getByText(ussdCode).waitFor()
    await poster.getByRole('heading', { name: 'Concert' }).waitFor()
  })
})

test('a link that asks for more than a payer can dial gets no code', async () => {
  for (const body of [
    { quantity: { maximum: 2 } },
    { payerReference: { label: 'Name' } },
    { maxPayments: 5 },
  ])
    await stage.open(merchant, `/payment-links/${(await makeLink(body)).id}`, async (page) => {
      await page.getByRole('link', { name: 'Poster' }).waitFor()
      assert.equal(await page.getByRole('button', { name: 'Add a code for 30 days' }).count(), 0)
    })
})

test('the code of a cancelled link is still shown, because it can still be dialled', async () => {
  const { id } = await makeLink({})
  const code = {
    name: 'Concert',
    mode: 'recurrent',
    reference: id,
    amount: { currency: 'SLE', value: 15_000 },
  }
  const { body } = await merchant.call('POST', '/v1/payment-codes', code)
  await merchant.call('DELETE', `/v1/payment-links/${id}`)
  await stage.open(merchant, `/payment-links/${id}`, async (page) => {
    await page.getByText('This code can still be dialled').waitFor()
    await page.getByRole('link', { name: 'Show the code' }).click()
    await page.getByText(body.result.id).first().waitFor()
  })
})
