import { type DialledCode, isPayable } from '../payment-codes/payment-codes.ts'
import { must } from '../platform/must.ts'
import type { Provider } from '../providers/provider.ts'
import { readAmount } from './amount.ts'
import {
  amountScreen,
  ask,
  type Bill,
  confirmScreen,
  end,
  lockedOutText,
  otherLanguages,
  showMoney,
} from './screens.ts'
import type { Reply, Session, Stage } from './session-store.ts'
import { type Language, type Texts, texts } from './texts.ts'

/** All that decides what a phone is shown. */
export type Look = {
  phoneNumber: string
  language: Language
  /** For how long wrong payment codes still lock the phone out; 0: they do not. */
  lockedOutMs: number
  dialled: DialledCode | undefined
  /** Whom the phone would pay with. */
  provider: Provider | undefined
  /** By the clock of the dialled code's Space. */
  now: Date
}

/** What one step leads to: what is shown, where the session stands then, and what is to be done. */
export type Turn = {
  reply: Reply
  stage: Stage
  amount: bigint | null
  language: Language
  does?: 'count-wrong-code' | 'dial-otp' | 'pay' | 'keep-language'
}

const maxTurns = 20

/** Decides, and does nothing. `number` and `input` are what the phone has dialled, and entered last. */
export function takeTurn(
  look: Look,
  session: Session | undefined,
  { number, input }: { number: string | undefined; input: string },
): Turn {
  const words = texts[look.language]
  if (session && (session.stage === 'over' || session.turns >= maxTurns)) return last(look, words.over)
  switch (session?.stage) {
    case 'amount':
      return whilePayable(look, (dialled) => enterAmount(look, dialled, input))
    case 'confirm':
      return choose(look, must(session.amount, 'amount that was shown'), input)
    default:
      return begin(look, number)
  }
}

const waiting = (look: Look, stage: Stage, reply: Reply, amount: bigint | null = null): Turn => ({
  reply,
  stage,
  amount,
  language: look.language,
})

const last = (look: Look, text: string, does?: Turn['does']): Turn => ({
  ...waiting(look, 'over', end(text)),
  ...(does && { does }),
})

/** Six digits are an OTP, ten a payment code; anything else was mistyped. */
function begin(look: Look, number: string | undefined): Turn {
  const words = texts[look.language]
  if (number === undefined) return waiting(look, 'number', ask(words.enterNumber))
  if (/^[0-9]{6}$/.test(number)) return last(look, words.notValid, 'dial-otp')
  if (!/^[0-9]{10}$/.test(number)) return last(look, words.notValid)
  if (look.lockedOutMs > 0) return last(look, lockedOutText(look.language, look.lockedOutMs))
  if (!look.dialled) return last(look, words.notValid, 'count-wrong-code')
  return showBill(look)
}

/** The first look at a code, and the next one after it was changed meanwhile. */
export const showBill = (look: Look): Turn =>
  whilePayable(look, ({ code, payee }) => {
    const bill = billOf({ code, payee })
    return bill.amount === null
      ? waiting(look, 'amount', amountScreen(look.language, bill))
      : confirm(look, { ...bill, amount: bill.amount })
  })

/** Who may not pay learns no more than who dialled digits that are no code. */
function whilePayable(look: Look, go: (dialled: DialledCode, provider: Provider) => Turn): Turn {
  const { dialled, provider, now, phoneNumber } = look
  const words: Texts = texts[look.language]
  if (!dialled || !isPayable(dialled.code, now)) return last(look, words.notValid)
  if ((dialled.code.authorizedPhoneNumber ?? phoneNumber) !== phoneNumber) return last(look, words.notValid)
  if (!provider) return last(look, words.notFromThisNetwork)
  return go(dialled, provider)
}

const billOf = ({ code, payee }: Pick<DialledCode, 'code' | 'payee'>): Bill => ({
  name: code.name,
  payee,
  currency: code.currency,
  amount: code.amount,
})

const confirm = (look: Look, bill: Bill & { amount: bigint }): Turn =>
  waiting(look, 'confirm', confirmScreen(look.language, bill), bill.amount)

function enterAmount(look: Look, dialled: DialledCode, input: string): Turn {
  const bill = billOf(dialled)
  // It may have got an amount meanwhile.
  const amount = bill.amount ?? readAmount(input, bill.currency)
  return amount === undefined
    ? waiting(look, 'amount', amountScreen(look.language, bill, true))
    : confirm(look, { ...bill, amount })
}

/** 1 pays, 2 cancels, 3 and 4 change the language; anything else shows the same again. */
function choose(look: Look, amount: bigint, input: string): Turn {
  const choice = input.trim()
  if (choice === '2') return last(look, texts[look.language].cancelled)
  return whilePayable(look, (dialled, provider) => {
    const bill = { ...billOf(dialled), amount }
    if (choice === '1') return { ...last(look, asked(look.language, provider, bill), 'pay'), amount }
    const other = otherLanguages(look.language)[Number(choice) - 3]
    if (!other) return confirm(look, bill)
    return { ...confirm({ ...look, language: other }, bill), does: 'keep-language' }
  })
}

const asked = (language: Language, { name }: Provider, { currency, amount }: Bill & { amount: bigint }) =>
  texts[language].asked(name, showMoney(language, currency, amount))
