import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createSeals } from '../../platform/seals.ts'
import { cardFingerprint, fingerprintOf, shownAccount } from './channel.ts'

const seals = createSeals('a secret key that only this test uses')
const noCard = { cardScheme: null, cardLast4: null }
const scope = (spaceId: string) => ({ spaceId, environment: 'test' as const })

test('a masked account shows at most four characters and hides at least four', () => {
  const account = fc.string({ unit: fc.constantFrom(...'0123456789ABCxyz@.'), minLength: 3, maxLength: 64 })
  fc.assert(
    fc.property(account, fc.constantFrom('bank', 'wallet'), (payerAccount, channelType) => {
      const shown = shownAccount({ ...noCard, payerAccount, channelType })
      assert.match(shown, /^\*{4}/)
      const end = shown.slice(4)
      assert.ok(payerAccount.endsWith(end) && end.length <= 4)
      assert.ok(end === '' || payerAccount.length - end.length >= 4)
    }),
  )
})

test('a phone number keeps its usual mask, and a card shows its details once it has paid', () => {
  assert.equal(shownAccount({ ...noCard, payerAccount: '+23276123456', channelType: 'momo' }), '+23276****56')
  const card = { ...noCard, payerAccount: null, channelType: 'card' } as const
  assert.equal(shownAccount(card), '')
  assert.equal(shownAccount({ ...card, cardScheme: 'visa', cardLast4: '4242' }), 'Visa ****4242')
})

test('a fingerprint identifies one payer in one Space', () => {
  const bank = { type: 'bank', providerId: 'slb001', account: '0011223344' } as const
  const of = (payer: Parameters<typeof fingerprintOf>[2], space = 'one') =>
    fingerprintOf(seals, scope(space), payer)
  assert.equal(of(bank), of({ ...bank }))
  const others = [
    of(bank),
    of(bank, 'two'),
    of({ ...bank, providerId: 'slb004' }),
    of({ ...bank, type: 'wallet' }),
    of({ ...bank, account: '0011223345' }),
    fingerprintOf(createSeals('another key of thirty-two characters'), scope('one'), bank),
  ]
  assert.equal(new Set(others).size, others.length)
  assert.equal(
    of({ type: 'momo', providerId: 'm17', account: '+23276123456' }),
    of({ type: 'momo', providerId: 'm18', account: '+23276123456' }),
  )
  assert.equal(of({ type: 'card', providerId: 'card', account: null }), null)
})

test('a card’s fingerprint depends on its token only, and does not reveal it', () => {
  const card = { scheme: 'visa', last4: '4242', token: 'crd_8Tq1xV0a' } as const
  const first = cardFingerprint(seals, scope('one'), 'card', card)
  assert.equal(cardFingerprint(seals, scope('one'), 'card', { ...card, last4: '0000' }), first)
  assert.notEqual(cardFingerprint(seals, scope('two'), 'card', card), first)
  assert.ok(!first.includes(card.token))
})
