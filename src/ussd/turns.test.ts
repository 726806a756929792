import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DialledCode } from '../payment-codes/payment-codes.ts'
import { loadCatalogue } from '../providers/catalogue.ts'
import type { Session, Stage } from './session-store.ts'
import { texts } from './texts.ts'
import { type Look, takeTurn } from './turns.ts'

const now = new Date('2026-11-21T10:00:00Z')
const inAMinute = new Date(now.getTime() + 60_000)
const phoneNumber = '+23276123456'
const provider = loadCatalogue()
  .list('momo')
  .find(({ providerId }) => providerId === 'm17')
const words = texts.en

type Code = DialledCode['code']
const rest = {
  name: 'Order 42',
  currency: 'SLE',
  enabled: true,
  status: 'pending',
  authorizedPhoneNumber: null,
}
/** What a turn looks at of a code. */
const dialledCode = (more: Partial<Code> = {}) =>
  ({ code: { ...rest, amount: 1_500n, expiresAt: inAMinute, ...more }, payee: 'Shop' }) as DialledCode

const look = (more: Partial<Look> = {}): Look => ({
  phoneNumber,
  language: 'en',
  lockedOutMs: 0,
  dialled: dialledCode(),
  provider,
  now,
  ...more,
})
const session = (stage: Stage, more: Partial<Session> = {}): Session => ({
  stage,
  number: '0123456789',
  amount: stage === 'confirm' ? 1_500n : null,
  language: 'en',
  answers: {},
  turns: 1,
  ...more,
})

const open = look({ dialled: dialledCode({ amount: null }) })
const notPayable: [what: string, look: Look][] = [
  ['a code that has expired', look({ dialled: dialledCode({ expiresAt: now }) })],
  ['a disabled code', look({ dialled: dialledCode({ enabled: false }) })],
  ['a completed code', look({ dialled: dialledCode({ status: 'completed' }) })],
  ['a code for another phone', look({ dialled: dialledCode({ authorizedPhoneNumber: '+23276999999' }) })],
]

type Given = { look?: Look; session?: Session; number?: string; input?: string }
const code = '0123456789'

/** From what a phone has entered to where it stands, what the text shows of it, and what is to be done. */
const turns: [what: string, given: Given, stage: Stage, shown: string, does?: string][] = [
  ['nothing yet', {}, 'number', words.enterNumber],
  ['six digits', { number: '123456' }, 'over', words.notValid, 'dial-otp'],
  ['seven digits', { number: '1234567' }, 'over', words.notValid],
  ['letters', { number: 'abcdefghij' }, 'over', words.notValid],
  [
    'digits of no code',
    { number: code, look: look({ dialled: undefined }) },
    'over',
    words.notValid,
    'count-wrong-code',
  ],
  ['a code, locked out', { number: code, look: look({ lockedOutMs: 120_000 }) }, 'over', words.lockedOut(2)],
  [
    'an OTP, locked out of codes',
    { number: '123456', look: look({ lockedOutMs: 120_000 }) },
    'over',
    words.notValid,
    'dial-otp',
  ],
  ['a code', { number: code }, 'confirm', 'Amount: Le 15.00'],
  ['a code without an amount', { number: code, look: open }, 'amount', 'Enter the amount in SLE'],
  [
    'a code, from no network that pays it',
    { number: code, look: look({ provider: undefined }) },
    'over',
    words.notFromThisNetwork,
  ],
  ...notPayable.map(([what, look]): (typeof turns)[number] => [
    what,
    { number: code, look },
    'over',
    words.notValid,
  ]),
  [
    'the digits when asked for them',
    { session: session('number'), number: code },
    'confirm',
    'Amount: Le 15.00',
  ],
  ['an amount', { session: session('amount'), look: open, input: '20' }, 'confirm', 'Amount: Le 20.00'],
  ['what is no amount', { session: session('amount'), look: open, input: 'x' }, 'amount', words.amountFault],
  [
    'an amount of a code that got another',
    { session: session('amount'), input: '20' },
    'confirm',
    'Amount: Le 15.00',
  ],
  ...notPayable.map(([what, look]): (typeof turns)[number] => [
    `an amount for ${what}`,
    { session: session('amount'), look, input: '20' },
    'over',
    words.notValid,
  ]),
  [
    '1: it is paid',
    { session: session('confirm'), input: '1' },
    'over',
    'ask for your PIN to pay Le 15.00',
    'pay',
  ],
  ['1, with spaces', { session: session('confirm'), input: ' 1 ' }, 'over', 'ask for your PIN', 'pay'],
  ['2: cancelled', { session: session('confirm'), input: '2' }, 'over', words.cancelled],
  [
    '3: the next language',
    { session: session('confirm'), input: '3' },
    'confirm',
    'Montant : 15,00',
    'keep-language',
  ],
  [
    '4: the one after',
    { session: session('confirm'), input: '4' },
    'confirm',
    'Mani: Le 15.00',
    'keep-language',
  ],
  ['5: the same again', { session: session('confirm'), input: '5' }, 'confirm', 'Amount: Le 15.00'],
  ['0: the same again', { session: session('confirm'), input: '0' }, 'confirm', 'Amount: Le 15.00'],
  ['nothing: the same again', { session: session('confirm'), input: '' }, 'confirm', 'Amount: Le 15.00'],
  ...notPayable.map(([what, look]): (typeof turns)[number] => [
    `1 for ${what}`,
    { session: session('confirm'), look, input: '1' },
    'over',
    words.notValid,
  ]),
  [
    '2 for a code that has expired',
    { session: session('confirm'), look: notPayable[0]![1], input: '2' },
    'over',
    words.cancelled,
  ],
  ['1 when the menu is over', { session: session('over'), input: '1' }, 'over', words.over],
  ['1 after twenty turns', { session: session('confirm', { turns: 20 }), input: '1' }, 'over', words.over],
]

for (const [what, { look: seen = look(), session, number, input = '' }, stage, shown, does] of turns)
  test(`${what}: ${stage}${does ? `, ${does}` : ''}`, () => {
    const turn = takeTurn(seen, session, { number, input })
    assert.deepEqual([turn.stage, turn.does, turn.reply.ends], [stage, does, stage === 'over'])
    assert.ok(turn.reply.text.includes(shown), turn.reply.text)
  })

test('what is paid is the amount that was shown', () => {
  const { amount } = takeTurn(open, session('confirm', { amount: 2_000n }), { number: code, input: '1' })
  assert.equal(amount, 2_000n)
})
