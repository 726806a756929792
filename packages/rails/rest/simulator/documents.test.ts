import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StoredCollection, StoredDisbursement } from '@pesewa/connector-kit/simulator'
import { documentOf } from '../../mtn-momo/simulator/documents.ts'
import { railDocumentOf } from './documents.ts'

const sent = {
  providerId: 'p',
  protocol: 'rest',
  reference: 'r',
  amount: '1500',
  amountMinor: 1500n,
  currency: 'SLE',
  externalId: '604811932075',
  payerMessage: 'Two cups',
  payeeNote: '',
  callbackUrl: null,
}
const pending = { status: 'PENDING', reason: null, financialTransactionId: null } as const
const done = { status: 'SUCCESSFUL', reason: null, financialTransactionId: 42n } as const
const failed = (reason: string) => ({ status: 'FAILED', reason, financialTransactionId: null }) as const

const collection = (more: Partial<StoredCollection> = {}): StoredCollection => ({
  ...sent,
  ...pending,
  payer: '23276123456',
  returnUrl: null,
  cardScheme: null,
  cardLast4: null,
  cardToken: null,
  movedAt: null,
  asksUntil: null,
  ...more,
})
const transfer = (more: Partial<StoredDisbursement> = {}): StoredDisbursement => ({
  ...sent,
  ...pending,
  payee: '0011223344',
  refundOf: null,
  ...more,
})
const card = { payer: '', cardScheme: 'visa', cardLast4: '4242', cardToken: 'crd_1' }
const shownCard = { scheme: 'visa', last4: '4242', token: 'crd_1' }

type Stored = StoredCollection | StoredDisbursement

/** Documents from banks, wallets and the acquirer, without reference, amount and currency. */
const documents: [what: string, request: Stored, document: object, pageUrl?: string][] = [
  ['a pending collection', collection(), { status: 'pending' }],
  ['a collection with a page', collection(), { status: 'pending', redirectUrl: 'https://x' }, 'https://x'],
  ['a successful collection', collection(done), { status: 'done', transactionId: '42' }],
  [
    'a card payment',
    collection({ ...done, ...card }),
    { status: 'done', transactionId: '42', card: shownCard },
  ],
  ['a pending transfer, …004', transfer({ payee: 'fatu004' }), { status: 'pending' }],
  ['a successful transfer', transfer(done), { status: 'done', transactionId: '42' }],
  ...(
    [
      ['NOT_ENOUGH_FUNDS', 'insufficient_funds'],
      ['APPROVAL_REJECTED', 'declined'],
      ['EXPIRED', 'expired'],
      ['PAYMENT_NOT_APPROVED', 'not_authenticated'],
      ['PAYEE_NOT_FOUND', 'account_missing'],
      ['SOMETHING_ELSE', 'failed'],
    ] as const
  ).map(([reason, code]): [string, Stored, object] => [
    `a failure: ${reason}`,
    transfer(failed(reason)),
    { status: 'failed', code },
  ]),
]

for (const [what, request, document, pageUrl] of documents)
  test(`${what}, as banks and wallets report it`, () => {
    const expected = { reference: 'r', amount: 1500, currency: 'SLE', ...document }
    assert.deepEqual(railDocumentOf(request, pageUrl), expected)
  })

test('payers of a slow wallet, whose numbers end in 004, are told to dial', () => {
  const shown = railDocumentOf(collection({ payer: 'fatu004' }))
  assert.match(JSON.stringify(shown), /"status":"pending","instructions":.*"dialString":"\*144\*4#"/)
})

const msisdn = (partyId: string) => ({ partyIdType: 'MSISDN', partyId })

/** Documents from MTN, without the fields of the request. */
const mtnDocuments: [what: string, request: Stored, document: object][] = [
  ['a pending collection', collection(), { payer: msisdn('23276123456'), status: 'PENDING' }],
  [
    'a successful collection',
    collection(done),
    { payer: msisdn('23276123456'), status: 'SUCCESSFUL', financialTransactionId: '42' },
  ],
  [
    'a failed disbursement',
    transfer(failed('PAYEE_NOT_FOUND')),
    { payee: msisdn('0011223344'), status: 'FAILED', reason: 'PAYEE_NOT_FOUND' },
  ],
]

for (const [what, request, document] of mtnDocuments)
  test(`${what}, as MTN reports it`, () => {
    const { amount, currency, externalId, payerMessage, payeeNote } = sent
    const expected = { amount, currency, externalId, payerMessage, payeeNote, ...document }
    assert.deepEqual(documentOf(request), expected)
  })
