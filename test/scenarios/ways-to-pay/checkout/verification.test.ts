import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createManualClock } from '@pesewa/connector-kit/simulator'
import { formatMoney } from '@pesewa/values'
import { extractText, getDocumentProxy } from 'unpdf'
import { startTestApp, until } from '../../../support/harness.ts'
import { createPayer } from '../../../support/payer.ts'

const rail = createManualClock()
const t = await startTestApp({ app: { simulatorClock: rail } })
after(() => t.close())

const merchant = await t.merchant({ name: 'Salone Fabrics' })
await merchant.call('PATCH', '/v1/settings', {
  brand: { name: 'Country Cloth', address: '12 Siaka Stevens Street, Freetown', taxNumber: 'TIN 1000123-4' },
})

async function pay() {
  const lineItems = [{ name: 'Cloth', price: { currency: 'SLE', value: 15_000 } }]
  const session = (await merchant.call('POST', '/v1/checkout-sessions', { name: 'Order 42', lineItems })).body
    .result
  const payer = createPayer(session.redirectUrl)
  await payer.pay('m17', '076 123 456')
  await until(async () => (await payer.status()) === 'done' || rail.advance(300))
  return session
}

const check = async (code: string, headers: Record<string, string> = {}) => {
  const answer = await fetch(`${t.baseUrl}/receipt?${new URLSearchParams({ code })}`, { headers })
  return { status: answer.status, text: await answer.text() }
}

const codeIn = (html: string) => /\/receipt\?code=([0-9A-Z-]+)/.exec(html)?.[1] ?? ''

const textOfPdf = async (bytes: ArrayBuffer) => {
  const pages = await extractText(await getDocumentProxy(new Uint8Array(bytes)), { mergePages: true })
  return pages.text.replace(/\s+/g, ' ')
}

describe('the code on a receipt', () => {
  test('is on the page and in the PDF, below the merchant’s name, address and tax number', async () => {
    const session = await pay()
    const page = await (await fetch(`${session.redirectUrl}/receipt`)).text()
    const pdf = await textOfPdf(await (await fetch(`${session.redirectUrl}/receipt.pdf`)).arrayBuffer())
    const code = codeIn(page)
    assert.match(code, /^([0-9A-Z]{4}-){4}[0-9A-Z]{4}$/)
    assert.equal(code.replaceAll('-', '').slice(0, 12), session.orderNumber)
    for (const text of [
      'Country Cloth',
      '12 Siaka Stevens Street, Freetown',
      'Tax number TIN 1000123-4',
      code,
    ])
      for (const shown of [page, pdf]) assert(shown.includes(text), text)
  })

  test('is accepted as it is typed, and shows what we have', async () => {
    const session = await pay()
    const code = codeIn(await (await fetch(`${session.redirectUrl}/receipt`)).text())
    for (const typed of [
      code,
      code.toLowerCase(),
      code.replaceAll('-', ''),
      ` ${code.replaceAll('-', ' ')} `,
      code.replaceAll('0', 'O').replaceAll('1', 'l'),
    ]) {
      const { status, text } = await check(typed)
      assert.equal(status, 200, typed)
      for (const fact of ['This receipt is genuine', 'Country Cloth', 'Le 150.00', session.orderNumber])
        assert(text.includes(fact), `${typed}: ${fact}`)
      assert.doesNotMatch(text, /76123456|23276/)
    }
    assert.match((await check(code, { 'accept-language': 'pt' })).text, /Este recibo é autêntico/)
  })

  test('is refused if it is altered, from another order, or not a code', async () => {
    const [one, other] = [await pay(), await pay()]
    const [code, otherCode] = await Promise.all(
      [one, other].map(async ({ redirectUrl }) =>
        codeIn(await (await fetch(`${redirectUrl}/receipt`)).text()),
      ),
    )
    const altered = `${code?.slice(0, -1)}${code?.endsWith('0') ? '1' : '0'}`
    for (const typed of [
      altered,
      `${code?.slice(0, 15)}${otherCode?.slice(15)}`,
      ...['1', '0'.repeat(20), 'x'.repeat(1000), '%00', '<script>alert(1)</script>', "' or 1=1 --", '€', '-'],
    ]) {
      const { status, text } = await check(typed)
      assert.equal(status, 404, typed)
      assert(text.includes('We have not issued a document with this code.'), typed)
      assert(!text.includes('<script>alert'), typed)
    }
    const twice = await fetch(`${t.baseUrl}/receipt?code=1&code=2`)
    assert.equal(twice.status, 200)
    assert.match(await twice.text(), /Check a receipt or statement/)
  })

  test('shows what was refunded since', async () => {
    const session = await pay()
    const code = codeIn(await (await fetch(`${session.redirectUrl}/receipt`)).text())
    assert(!(await check(code)).text.includes('Refunded since'))
    const [{ id: paymentId }] = (
      await merchant.call('GET', `/v1/payments?orderNumber=${session.orderNumber}`)
    ).body.result
    const { body } = await merchant.call('POST', '/v1/refunds', {
      paymentId,
      amount: { currency: 'SLE', value: 5_000 },
      reason: 'requested_by_customer',
    })
    assert(body.success, JSON.stringify(body))
    await until(async () => {
      await rail.advance(300)
      return (await merchant.call('GET', `/v1/refunds/${body.result.id}`)).body.result.status === 'completed'
    })
    const { text } = await check(code)
    assert.match(text, /Refunded since<\/dt><dd><bdi>Le 50\.00</)
  })

  test('proves nothing about an order that has not been paid', async () => {
    const paid = await pay()
    const lineItems = [{ name: 'Cloth', price: { currency: 'SLE', value: 15_000 } }]
    const open = (await merchant.call('POST', '/v1/checkout-sessions', { name: 'Order 43', lineItems })).body
      .result
    const code = codeIn(await (await fetch(`${paid.redirectUrl}/receipt`)).text()).replaceAll('-', '')
    assert.equal((await check(open.orderNumber + code.slice(12))).status, 404)
  })
})

describe('the code on a statement', () => {
  const range = 'from=2026-01-01T00:00:00Z&to=2027-01-01T00:00:00Z'
  const statement = async (accept: string) => {
    const [account] = (await merchant.call('GET', '/v1/financial-accounts')).body.result
    const answer = await fetch(`${t.baseUrl}/v1/financial-accounts/${account.id}/statement?${range}`, {
      headers: {
        authorization: `Bearer ${merchant.token}`,
        'service-space-id': merchant.spaceId,
        accept,
      },
    })
    assert.equal(answer.status, 200)
    return { account, answer }
  }

  test('is in the PDF, and shows the balances that we have', async () => {
    await pay()
    const { account, answer } = await statement('application/pdf')
    const bytes = await answer.arrayBuffer()
    const code = codeIn(Buffer.from(bytes).toString('latin1'))
    const text = await textOfPdf(bytes)
    for (const shown of ['Country Cloth', '12 Siaka Stevens Street, Freetown', 'Tax number TIN 1000123-4'])
      assert(text.includes(shown), shown)
    assert(text.replaceAll(' ', '').includes(code))
    const path = `/v1/financial-accounts/${account.id}/statement?${range}`
    const { closingBalance: closing } = (await merchant.call('GET', path)).body.result
    const { status, text: page } = await check(code)
    assert.equal(status, 200)
    assert.match(page, /This statement is genuine/)
    assert(page.includes(account.uvan))
    assert(page.includes(formatMoney({ currency: 'SLE', value: BigInt(closing.value) }, 'en')))
    const altered = `${code.slice(0, 20)}${code[20] === '0' ? '1' : '0'}${code.slice(21)}`
    assert.equal((await check(altered)).status, 404)
  })
})
