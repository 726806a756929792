import assert from 'node:assert/strict'
import { test } from 'node:test'
import { must } from '@pesewa/values'
import { loadCatalogue } from '../../rails/connections/catalogue.ts'
import type { DialledCode } from '../payment-codes/payment-codes.ts'
import { type MenuContext, transitionOf } from './menu.ts'
import type { MenuStage, UssdSession } from './session-store.ts'
import { menuTexts } from './texts.ts'

const now = new Date('2026-11-21T10:00:00Z')
const inAMinute = new Date(now.getTime() + 60_000)
const phoneNumber = '+23276123456'
const provider = must(loadCatalogue().find('m17'), 'provider of the catalogue')
const words = menuTexts.en

type Code = DialledCode['code']
const rest = {
  name: 'Order 42',
  currency: 'SLE',
  enabled: true,
  status: 'pending',
  authorizedPhoneNumber: null,
  checkoutSessionId: null,
}
/** Returns the part of a code that the menu reads. */
const dialledCode = (more: Partial<Code> = {}) =>
  ({ code: { ...rest, amount: 1_500n, expiresAt: inAMinute, ...more }, payee: 'Shop' }) as DialledCode

const contextWith = (more: Partial<MenuContext> = {}): MenuContext => ({
  phoneNumber,
  language: 'en',
  lockedOutMs: 0,
  dialled: dialledCode(),
  providerChoice: { provider, pausedWords: undefined },
  now,
  ...more,
})
const session = (stage: MenuStage, more: Partial<UssdSession> = {}): UssdSession => ({
  stage,
  number: '0123456789',
  amount: stage === 'confirm' ? 1_500n : null,
  language: 'en',
  answers: {},
  turns: 1,
  ...more,
})

const oddlyNamed = { provider: { ...provider, name: 'Côte Cash' }, pausedWords: undefined }
const paused = contextWith({ providerChoice: { ...oddlyNamed, pausedWords: 'Back at noon' } })
const open = contextWith({ dialled: dialledCode({ amount: null }) })
const notPayable: [what: string, context: MenuContext][] = [
  ['a code that has expired', contextWith({ dialled: dialledCode({ expiresAt: now }) })],
  ['a disabled code', contextWith({ dialled: dialledCode({ enabled: false }) })],
  ['a completed code', contextWith({ dialled: dialledCode({ status: 'completed' }) })],
  [
    'a code for another phone',
    contextWith({ dialled: dialledCode({ authorizedPhoneNumber: '+23276999999' }) }),
  ],
]

const checkoutSessionId = '01234567-89ab-7def-8123-456789abcdef'
const ended = (change: Partial<DialledCode['code']>) =>
  contextWith({ dialled: dialledCode({ checkoutSessionId, ...change }) })
const endedSessions: [what: string, context: MenuContext, text: string][] = [
  ['was paid', ended({ status: 'completed' }), words.orderPaid],
  ['was cancelled', ended({ status: 'cancelled' }), words.orderClosed],
  ['has expired', ended({ status: 'expired' }), words.orderClosed],
  ['is about to expire', ended({ expiresAt: now }), words.orderClosed],
]

type MenuState = { context?: MenuContext; session?: UssdSession; number?: string; input?: string }
const code = '0123456789'

/** The dialled input, the resulting stage, a part of the text, and the action. */
const transitions: [what: string, state: MenuState, stage: MenuStage, shown: string, action?: string][] = [
  ['nothing yet', {}, 'number', words.enterNumber],
  ['six digits', { number: '123456' }, 'over', words.invalidCode, 'dial-otp'],
  ['seven digits', { number: '1234567' }, 'over', words.invalidCode],
  ['letters', { number: 'abcdefghij' }, 'over', words.invalidCode],
  [
    'an unknown code',
    { number: code, context: contextWith({ dialled: undefined }) },
    'over',
    words.invalidCode,
    'count-wrong-code',
  ],
  [
    'a code, locked out',
    { number: code, context: contextWith({ lockedOutMs: 120_000 }) },
    'over',
    words.lockedOut(2),
  ],
  [
    'an OTP, locked out of codes',
    { number: '123456', context: contextWith({ lockedOutMs: 120_000 }) },
    'over',
    words.invalidCode,
    'dial-otp',
  ],
  ['a code', { number: code }, 'confirm', 'Amount: Le 15.00'],
  ['a code without an amount', { number: code, context: open }, 'amount', 'Enter the amount in SLE'],
  [
    'a code, from a network that cannot pay it',
    { number: code, context: contextWith({ providerChoice: undefined }) },
    'over',
    words.notFromThisNetwork,
  ],
  ['a code, from a network that is paused', { number: code, context: paused }, 'over', 'Back at noon'],
  [
    'an amount, from a network that is paused',
    { session: session('amount'), context: paused, input: '20' },
    'over',
    words.paused('Cote Cash'),
  ],
  [
    '1, from a network that is paused',
    { session: session('confirm'), context: paused, input: '1' },
    'over',
    words.paused('Cote Cash'),
  ],
  [
    '2, from a network that is paused',
    { session: session('confirm'), context: paused, input: '2' },
    'over',
    words.cancelled,
  ],
  [
    '1, with a provider whose name no handset can display',
    { session: session('confirm'), context: contextWith({ providerChoice: oddlyNamed }), input: '1' },
    'over',
    'Cote Cash will now ask',
    'pay',
  ],
  ...notPayable.map(([what, context]): (typeof transitions)[number] => [
    what,
    { number: code, context },
    'over',
    words.invalidCode,
  ]),
  ...endedSessions.map(([what, context, text]): (typeof transitions)[number] => [
    `the code of a session that ${what}`,
    { number: code, context },
    'over',
    text,
  ]),
  ...endedSessions.map(([what, context, text]): (typeof transitions)[number] => [
    `1 for a session that ${what}`,
    { session: session('confirm'), context, input: '1' },
    'over',
    text,
  ]),
  [
    'the code of an open session of a suspended Space',
    { number: code, context: contextWith({ dialled: dialledCode({ checkoutSessionId, enabled: false }) }) },
    'over',
    words.invalidCode,
  ],
  [
    'the digits when asked for them',
    { session: session('number'), number: code },
    'confirm',
    'Amount: Le 15.00',
  ],
  ['an amount', { session: session('amount'), context: open, input: '20' }, 'confirm', 'Amount: Le 20.00'],
  [
    'an invalid amount',
    { session: session('amount'), context: open, input: 'x' },
    'amount',
    words.invalidAmount,
  ],
  [
    'an amount for a code whose amount was changed',
    { session: session('amount'), input: '20' },
    'confirm',
    'Amount: Le 15.00',
  ],
  ...notPayable.map(([what, context]): (typeof transitions)[number] => [
    `an amount for ${what}`,
    { session: session('amount'), context, input: '20' },
    'over',
    words.invalidCode,
  ]),
  ['1: pays', { session: session('confirm'), input: '1' }, 'over', 'ask for your PIN to pay Le 15.00', 'pay'],
  ['1, with spaces', { session: session('confirm'), input: ' 1 ' }, 'over', 'ask for your PIN', 'pay'],
  ['2: cancelled', { session: session('confirm'), input: '2' }, 'over', words.cancelled],
  [
    '3: the next language',
    { session: session('confirm'), input: '3' },
    'confirm',
    'Montant : 15,00',
    'save-language',
  ],
  [
    '4: the one after',
    { session: session('confirm'), input: '4' },
    'confirm',
    'Mani: Le 15.00',
    'save-language',
  ],
  ['5: the same screen', { session: session('confirm'), input: '5' }, 'confirm', 'Amount: Le 15.00'],
  ['0: the same screen', { session: session('confirm'), input: '0' }, 'confirm', 'Amount: Le 15.00'],
  ['nothing: the same screen', { session: session('confirm'), input: '' }, 'confirm', 'Amount: Le 15.00'],
  ...notPayable.map(([what, context]): (typeof transitions)[number] => [
    `1 for ${what}`,
    { session: session('confirm'), context, input: '1' },
    'over',
    words.invalidCode,
  ]),
  [
    '2 for a code that has expired',
    { session: session('confirm'), context: notPayable[0]![1], input: '2' },
    'over',
    words.cancelled,
  ],
  ['1 when the menu is over', { session: session('over'), input: '1' }, 'over', words.menuEnded],
  [
    '1 after twenty steps',
    { session: session('confirm', { turns: 20 }), input: '1' },
    'over',
    words.menuEnded,
  ],
]

for (const [what, state, stage, shown, action] of transitions)
  test(`${what}: ${stage}${action ? `, ${action}` : ''}`, () => {
    const { context = contextWith(), session, number, input = '' } = state
    const transition = transitionOf(context, session, { number, input })
    assert.deepEqual(
      [transition.stage, transition.action, transition.reply.ends],
      [stage, action, stage === 'over'],
    )
    assert.ok(transition.reply.text.includes(shown), transition.reply.text)
  })

test('the amount paid is the amount that was shown', () => {
  const confirmed = session('confirm', { amount: 2_000n })
  assert.equal(transitionOf(open, confirmed, { number: code, input: '1' }).amount, 2_000n)
})
