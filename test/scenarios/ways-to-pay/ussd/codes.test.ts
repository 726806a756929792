import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createManualClock } from '@pesewa/connector-kit/simulator'
import { pause, resume } from '../../../../packages/server/src/rails/routing/pauses.ts'
import { createHandset, postStep } from '../../../support/handset.ts'
import { type Merchant, startTestApp, until } from '../../../support/harness.ts'

const rail = createManualClock()
const t = await startTestApp({ app: { simulatorClock: rail } })
const second = await startTestApp({ anotherNodeOf: t, work: false })
after(async () => {
  await second.close()
  await t.close()
})

let phones = 0
const newPhone = (ending = '') => {
  const number = String(300_100 + phones++)
  return `+23276${ending ? number.slice(0, 3) + ending : number}`
}

const bill = { name: 'Country cloth', amount: { currency: 'SLE', value: 15_000 } }

/** Creates a merchant with an open code. */
async function openCode(more: object = {}, given?: Merchant) {
  const merchant = given ?? (await t.merchant({ name: 'Salone Fabrics' }))
  const code = (await merchant.call('POST', '/v1/payment-codes', { ...bill, ...more })).body.result
  const look = async () => (await merchant.call('GET', `/v1/payment-codes/${code.id}`)).body.result
  const change = (body: object) => merchant.call('PATCH', `/v1/payment-codes/${code.id}`, body)
  const payments = async () => (await merchant.call('GET', '/v1/payments?limit=50')).body.result
  const types = async () =>
    (await t.events(merchant.scope)).map(({ type }) => type).filter((type) => type.startsWith('payment_code'))
  /** Dials, confirms, and advances the rail's clock until the payment has ended. */
  const pay = async (phone = newPhone(), ms = 300) => {
    const handset = createHandset(t, phone)
    await handset.dial(code.ussdCode)
    const shown = await handset.enter('1')
    await submitted()
    await rail.advance(ms)
    await until(async () => (await payments()).every(isOver))
    return shown
  }
  return { merchant, code, look, change, payments, types, pay }
}

type Shown = { status: string }
const isOver = ({ status }: Shown) => status === 'completed' || status === 'failed'

/** Waits until every started payment was submitted to its rail. */
const submitted = () =>
  until(async () => {
    const { rows } = await t.app.parts.db.pool.query(
      `select 1 from instructions where state in ('created', 'submitting') limit 1`,
    )
    return rows.length === 0
  })

const notValid = 'This code is not valid, or it has expired. Check it and dial again.'

test('name, payee and amount are shown; after 1, the provider prompts for the PIN, and the code is completed', async () => {
  const { merchant, code, look, types, payments } = await openCode({
    reference: 'invoice 7',
    metadata: { cart: '7' },
  })
  const handset = createHandset(t, '+23276123456')
  assert.deepEqual(await handset.dial(code.ussdCode), {
    status: 200,
    ends: false,
    text: 'Country cloth\nTo: Salone Fabrics\nAmount: Le 150.00\n1 Pay\n2 Cancel\n3 Francais  4 Krio',
  })
  assert.deepEqual(await handset.enter('1'), {
    status: 200,
    ends: true,
    text: 'Orange Money will now ask for your PIN to pay Le 150.00. Nothing is paid until you enter it.',
  })
  assert.equal((await look()).status, 'processing')
  await submitted()
  await rail.advance(300)
  const paid = await until(async () => {
    const seen = await look()
    return seen.status === 'completed' && seen
  })
  const [payment] = await payments()
  assert.deepEqual(
    [payment.status, payment.channel.provider, payment.reference],
    ['completed', 'm17', 'invoice 7'],
  )
  assert.deepEqual(paid.processedPaymentData.amount, bill.amount)
  assert.equal(paid.processedPaymentData.paymentId, payment.id)
  assert.equal(paid.processedPaymentData.channelData.accountId, '+23276****56')
  assert.equal(payment.ownershipGraph.owner.type, 'payment_code')
  assert.equal(payment.ownershipGraph.owner.owner.id, merchant.spaceId)
  assert.deepEqual(await types(), [
    'payment_code.created',
    'payment_code.processed',
    'payment_code.completed',
  ])
  assert.equal((await createHandset(t).dial(code.ussdCode)).text, notValid)
  await t.verify()
})

test('2 cancels without any effect; any other choice shows the menu again', async () => {
  const { code, look, payments } = await openCode()
  const handset = createHandset(t, newPhone())
  const menu = await handset.dial(code.ussdCode)
  assert.deepEqual(await handset.enter('7'), menu)
  assert.deepEqual(await handset.enter(''), menu)
  assert.deepEqual(await handset.enter('2'), {
    status: 200,
    ends: true,
    text: 'Cancelled. You have paid nothing.',
  })
  assert.match((await handset.enter('1')).text, /This menu has ended/)
  assert.equal((await look()).status, 'pending')
  assert.deepEqual(await payments(), [])
})

test('3 and 4 change the language, which is remembered for the phone', async () => {
  const { code } = await openCode()
  const phone = newPhone()
  const handset = createHandset(t, phone)
  await handset.dial(code.ussdCode)
  assert.match(
    (await handset.enter('4')).text,
    /^Country cloth\nFo: Salone Fabrics\nMani: Le 150\.00\n1 Pe\n2 Lef am/,
  )
  assert.match(
    (await handset.enter('4')).text,
    /Montant : 150,00 Le\n1 Payer\n2 Annuler\n3 English {2}4 Krio/,
  )
  assert.match((await createHandset(t, phone).dial(code.ussdCode)).text, /Montant : 150,00 Le/)
})

test('without an amount, the payer types it, and types it again if it is invalid', async () => {
  const { code, look, payments } = await openCode({ amount: null })
  const handset = createHandset(t, newPhone())
  const amountMenu = 'Country cloth\nTo: Salone Fabrics\nEnter the amount in SLE:'
  assert.equal((await handset.dial(code.ussdCode)).text, amountMenu)
  for (const typed of ['0', '-5', '1.234', 'all', '1e3', '99999999999999999999'])
    assert.equal((await handset.enter(typed)).text, `That is not a valid amount.\n${amountMenu}`, typed)
  assert.match((await handset.enter('25,50')).text, /Amount: Le 25\.50/)
  assert.match((await handset.enter('1')).text, /to pay Le 25\.50/)
  await submitted()
  await rail.advance(300)
  await until(async () => (await look()).status === 'completed')
  assert.deepEqual((await payments())[0].amount, { currency: 'SLE', value: 2_550 })
})

test('a failed attempt leaves the code pending, and the next phone pays', async () => {
  const { look, pay, types } = await openCode()
  await pay(newPhone('001'))
  await until(async () => (await look()).status === 'pending')
  await pay()
  await until(async () => (await look()).status === 'completed')
  assert.deepEqual(await types(), [
    'payment_code.created',
    'payment_code.processed',
    'payment_code.completed',
  ])
})

describe('a recurrent code', () => {
  for (const [target, paid] of [
    [{ expectedPaymentCount: 2 }, 2],
    [{ expectedPaymentTotal: { currency: 'SLE', value: 40_000 } }, 3],
    [{ expectedPaymentCount: 2, expectedPaymentTotal: { currency: 'SLE', value: 40_000 } }, 2],
    [{ expectedPaymentCount: 5, expectedPaymentTotal: { currency: 'SLE', value: 30_000 } }, 2],
  ] as const)
    test(`with ${JSON.stringify(target)} is processing until ${paid} payments of 15 000, then completed`, async () => {
      const { look, pay, types } = await openCode({ mode: 'recurrent', recurrentPaymentTarget: target })
      for (let i = 1; i < paid; i++) {
        await pay()
        await until(async () => (await types()).filter((type) => type.endsWith('processed')).length === i)
        assert.equal((await look()).status, 'processing')
      }
      await pay()
      await until(async () => (await look()).status === 'completed')
      assert.equal((await types()).filter((type) => type.endsWith('processed')).length, paid)
    })

  test('is paid by several phones at the same time, but never beyond its target', async () => {
    const { code, look, payments } = await openCode({
      mode: 'recurrent',
      recurrentPaymentTarget: { expectedPaymentCount: 3 },
    })
    const shown = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const handset = createHandset(t, newPhone())
        await handset.dial(code.ussdCode)
        return handset.enter('1')
      }),
    )
    assert.equal(shown.filter(({ text }) => /ask for your PIN/.test(text)).length, 3)
    assert.equal(shown.filter(({ text }) => /Someone is paying this code/.test(text)).length, 5)
    await submitted()
    await rail.advance(300)
    await until(async () => (await look()).status === 'completed')
    assert.equal((await payments()).length, 3)
  })
})

test('two phones confirm a one-time code at the same moment on two nodes: one payment is made', async () => {
  for (let round = 0; round < 5; round++) {
    const { code, payments } = await openCode()
    const handsets = [createHandset(t, newPhone()), createHandset(second, newPhone())]
    await Promise.all(handsets.map((handset) => handset.dial(code.ussdCode)))
    const shown = await Promise.all(handsets.map((handset) => handset.enter('1')))
    assert.equal(shown.filter(({ text }) => /ask for your PIN/.test(text)).length, 1)
    assert.equal(shown.filter(({ text }) => /Someone is paying this code/.test(text)).length, 1)
    assert.equal((await payments()).length, 1)
  }
})

test('a step delivered twenty times at once, on two nodes, pays once and always gets the same reply', async () => {
  const { code, payments } = await openCode()
  const form = {
    sessionId: 'ATUid_twenty',
    serviceCode: '*715#',
    phoneNumber: newPhone(),
    networkCode: '61901',
    text: code.ussdCode.slice(5, 15),
  }
  const first = await postStep(t, form)
  const confirm = { ...form, text: `${form.text}*1` }
  const shown = await Promise.all(Array.from({ length: 20 }, (_, i) => postStep(i % 2 ? t : second, confirm)))
  assert.match(shown[0]!.text, /ask for your PIN/)
  assert.equal(new Set(shown.map(({ text }) => text)).size, 1)
  assert.equal((await payments()).length, 1)
  // Even later, the first step is delivered again after the last one.
  assert.deepEqual(await postStep(second, form), first)
  assert.equal((await payments()).length, 1)
})

describe('time, by the Space’s clock', () => {
  test('an expired code cannot be dialled', async () => {
    const { merchant, code, look, types } = await openCode()
    await t.advance(merchant.scope, 600_000)
    assert.equal((await createHandset(t, newPhone()).dial(code.ussdCode)).text, notValid)
    await until(async () => (await look()).status === 'expired')
    assert.deepEqual(await types(), ['payment_code.created', 'payment_code.expired'])
  })

  test('when dialled a second before expiry and confirmed at expiry, the moment of confirmation always decides', async () => {
    for (let round = 0; round < 5; round++) {
      const { merchant, code, look, payments } = await openCode()
      await t.advance(merchant.scope, 598_000)
      const handset = createHandset(t, newPhone())
      assert.equal((await handset.dial(code.ussdCode)).ends, false)
      await t.advance(merchant.scope, 2_000)
      const confirmed = await handset.enter('1')
      assert.deepEqual([confirmed.ends, confirmed.text], [true, notValid])
      assert.deepEqual(await handset.repeat(), confirmed)
      await until(async () => (await look()).status === 'expired')
      assert.deepEqual(await payments(), [])
    }
  })

  test('confirmed in time and paid after expiry: the payment counts', async () => {
    const { merchant, code, look, types } = await openCode()
    const handset = createHandset(t, newPhone())
    await handset.dial(code.ussdCode)
    await handset.enter('1')
    await submitted()
    await t.advance(merchant.scope, 600_000)
    assert.equal((await look()).status, 'processing')
    await rail.advance(300)
    await until(async () => (await look()).status === 'completed')
    assert.ok(!(await types()).includes('payment_code.expired'))
  })

  test('confirmed in time and failed after expiry: expired', async () => {
    const { merchant, code, look } = await openCode()
    const handset = createHandset(t, newPhone('002'))
    await handset.dial(code.ussdCode)
    await handset.enter('1')
    await submitted()
    await t.advance(merchant.scope, 600_000)
    await rail.advance(300)
    await until(async () => (await look()).status === 'expired')
  })
})

describe('authorized payers', () => {
  test('only the authorized phone; another one sees the text for an unknown code', async () => {
    const phone = newPhone()
    const { code } = await openCode({ authorizedPhoneNumber: phone })
    assert.equal((await createHandset(t, newPhone()).dial(code.ussdCode)).text, notValid)
    assert.equal((await createHandset(t, phone).dial(code.ussdCode)).ends, false)
  })

  test('only phones of the authorized providers', async () => {
    const { code } = await openCode({ authorizedProviders: ['m18'] })
    assert.match((await createHandset(t, newPhone(), '61901').dial(code.ussdCode)).text, /from your network/)
    assert.match((await createHandset(t, newPhone(), 'm17').dial(code.ussdCode)).text, /from your network/)
    assert.match((await createHandset(t, '+23277123457', '61903').dial(code.ussdCode)).text, /Le 150\.00/)
  })

  test('a number that certainly belongs to another network is refused before anything is sent, wherever it dials from', async () => {
    const { code, payments, look } = await openCode({ authorizedProviders: ['m18'] })
    for (const network of ['61903', 'm18', '99999']) {
      const handset = createHandset(t, newPhone(), network)
      assert.match((await handset.dial(code.ussdCode)).text, /from your network/, network)
      assert.match((await handset.enter('1')).text, /This menu has ended/)
    }
    // A Qcell number; Qcell has no provider.
    const { code: open } = await openCode()
    assert.match(
      (await createHandset(t, '+23231123456', '99999').dial(open.ussdCode)).text,
      /from your network/,
    )
    assert.deepEqual([(await look()).status, await payments()], ['pending', []])
  })

  test('an unknown network code falls back to the number’s prefix', async () => {
    const { code, payments } = await openCode()
    const handset = createHandset(t, '+23277123456', '99999')
    await handset.dial(code.ussdCode)
    assert.match((await handset.enter('1')).text, /^Afrimoney will now ask/)
    assert.equal((await payments())[0].channel.provider, 'm18')
  })

  test('a phone whose provider needs a page or a code cannot pay', async () => {
    const { code } = await openCode({ amount: { currency: 'XOF', value: 15_000 } })
    for (const [phone, network] of [
      ['+22670123456', '61302'],
      ['+221773456789', 'wave-sn'],
    ] as const)
      assert.match((await createHandset(t, phone, network).dial(code.ussdCode)).text, /depuis votre réseau/)
    assert.match((await createHandset(t, '+22660123456', 'moov-bf').dial(code.ussdCode)).text, /15.000/)
  })

  test('a phone whose provider uses another currency cannot pay', async () => {
    const { code } = await openCode()
    assert.match(
      (await createHandset(t, '+233241234567', '62001').dial(code.ussdCode)).text,
      /from your network/,
    )
  })

  test('a disabled code cannot be paid until it is enabled, even if it was disabled during the session', async () => {
    const { code, change, look, payments } = await openCode()
    const handset = createHandset(t, newPhone())
    await handset.dial(code.ussdCode)
    await change({ enable: false })
    assert.equal((await createHandset(t, newPhone()).dial(code.ussdCode)).text, notValid)
    assert.equal((await handset.enter('1')).text, notValid)
    assert.equal((await look()).status, 'pending')
    assert.deepEqual(await payments(), [])
    await change({ enable: true })
    assert.equal((await createHandset(t, newPhone()).dial(code.ussdCode)).ends, false)
  })

  test('a payer never pays an amount other than the one that was shown', async () => {
    const { code, change, payments } = await openCode()
    const handset = createHandset(t, newPhone())
    await handset.dial(code.ussdCode)
    await change({ amount: { currency: 'SLE', value: 20_000 } })
    const again = await handset.enter('1')
    assert.deepEqual([again.ends, /Amount: Le 200\.00/.test(again.text)], [false, true])
    assert.deepEqual(await payments(), [])
    await handset.enter('1')
    assert.equal((await payments())[0].amount.value, 20_000)
  })
})

describe('while collecting through a provider is paused', () => {
  const { home, pauses } = t.app.parts
  const place = {
    environment: 'test',
    connection: 'm17',
    providerId: null,
    direction: 'collect',
  } as const
  const isPaused = () =>
    pauses.find({ environment: 'test', connection: 'm17', providerId: 'm17', kind: 'collect' }) !== undefined
  const pausing = async (words: string) => {
    await home.transaction((tx) => pause(tx, place, { words, by: 'Aminata' }))
    await until(isPaused)
  }
  const resuming = async () => {
    await home.transaction((tx) => resume(tx, [place], 'Aminata'))
    await until(() => !isPaused())
  }

  test('its payers are told so in their language, and the code stays open', async () => {
    const { code, payments, look, pay } = await openCode()
    await pausing('Repairs “until” noon 漢')
    const handset = createHandset(t, newPhone())
    assert.deepEqual(await handset.dial(code.ussdCode), {
      status: 200,
      ends: true,
      text: 'Orange Money is not accepting payments at the moment. You have paid nothing. Dial again later.\nRepairs "until" noon ?',
    })
    assert.match((await handset.enter('1')).text, /This menu has ended/)
    assert.match((await createHandset(t, '+23277123458', '61903').dial(code.ussdCode)).text, /Le 150\.00/)
    assert.deepEqual([(await look()).status, await payments()], ['pending', []])
    await resuming()
    await pay()
    await until(async () => (await look()).status === 'completed')
  })

  test('a payer who confirms after the pause began pays nothing, and is told so in the chosen language', async () => {
    const { code, payments, look } = await openCode()
    const handset = createHandset(t, newPhone())
    await handset.dial(code.ussdCode)
    await handset.enter('3')
    await pausing('x'.repeat(200))
    const { text, ends } = await handset.enter('1')
    assert.match(
      text,
      /^Orange Money n'accepte pas de paiements en ce moment\. Vous n'avez rien payé\..*\nx+\.\.$/,
    )
    assert.deepEqual([ends, text.length], [true, 182])
    assert.deepEqual([(await look()).status, await payments()], ['pending', []])
    await resuming()
  })

  test('a phone of an unknown network uses the next provider of its country', async () => {
    const { code, payments } = await openCode()
    const phone = () => createHandset(t, `+232000${newPhone().slice(-5)}`, '99999')
    const handsets = [phone(), phone()] as const
    await handsets[0].dial(code.ussdCode)
    assert.match((await handsets[0].enter('1')).text, /^Orange Money will now ask/)
    await submitted()
    await rail.advance(300)
    await until(async () => (await payments()).every(isOver))
    const { code: second } = await openCode()
    await pausing('Repairs')
    await handsets[1].dial(second.ussdCode)
    assert.match((await handsets[1].enter('1')).text, /^Afrimoney will now ask/)
    await resuming()
  })
})

test('DELETE: a cancelled code cannot be dialled; a code with a payment in flight cannot be cancelled', async () => {
  const { merchant, code, look, pay } = await openCode()
  const handset = createHandset(t, newPhone('003'))
  await handset.dial(code.ussdCode)
  await handset.enter('1')
  const refused = await merchant.call('DELETE', `/v1/payment-codes/${code.id}`)
  assert.deepEqual([refused.status, refused.body.error.reason], [409, 'state_conflict'])
  await submitted()
  await rail.advance(60_000)
  await until(async () => (await look()).status === 'pending')
  assert.equal((await merchant.call('DELETE', `/v1/payment-codes/${code.id}`)).status, 200)
  assert.equal((await createHandset(t, newPhone()).dial(code.ussdCode)).text, notValid)
  assert.equal((await pay()).text, 'This menu has ended. Dial again.')
})

describe('guessing', () => {
  test('twenty unknown codes lock a phone out: a thousand dials find nothing, and other phones are not affected', async () => {
    const { code } = await openCode()
    const phone = newPhone()
    let [wrong, lockedOut] = [0, 0]
    for (let i = 0; i < 100; i++) {
      const shown = await Promise.all(
        Array.from({ length: 10 }, () => createHandset(t, phone).dial(`*715*${randomDigits()}#`)),
      )
      wrong += shown.filter(({ text }) => text === notValid).length
      lockedOut += shown.filter(({ text }) => /Too many wrong codes/.test(text)).length
    }
    assert.equal(wrong + lockedOut, 1000)
    assert.ok(wrong >= 20 && wrong < 40, `${wrong} were looked up`)
    assert.match((await createHandset(t, phone).dial(code.ussdCode)).text, /Too many wrong codes/)
    assert.match((await createHandset(t, newPhone()).dial(code.ussdCode)).text, /Le 150\.00/)
  })

  const randomDigits = () => String(Math.floor(Math.random() * 1e10)).padStart(10, '0')

  test('a code that has ended, or is for another phone, does not count as guessing', async () => {
    const { merchant, code } = await openCode()
    await merchant.call('DELETE', `/v1/payment-codes/${code.id}`)
    const handset = createHandset(t, newPhone())
    for (let i = 0; i < 25; i++) assert.equal((await handset.dial(code.ussdCode)).text, notValid)
  })
})

test('a test dial finds no live code', async () => {
  const { code } = await openCode({}, await t.merchant({ environment: 'live' }))
  assert.equal((await createHandset(t, newPhone()).dial(code.ussdCode)).text, notValid)
})
