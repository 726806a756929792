import { readAmount } from '../countries/typed-amount.ts'
import { type DialledCode, isPayable } from '../payment-codes/payment-codes.ts'
import { toGsm7 } from '../platform/gsm7.ts'
import { must } from '../platform/must.ts'
import type { Provider } from '../providers/provider.ts'
import type { WayToPay } from './networks.ts'
import {
  amountScreen,
  ask,
  type Bill,
  confirmScreen,
  end,
  lockedOutText,
  otherLanguages,
  pausedText,
  showMoney,
} from './screens.ts'
import type { MenuStage, Reply, UssdSession } from './session-store.ts'
import type { Step } from './step.ts'
import { type MenuLanguage, menuTexts } from './texts.ts'

/** Everything that determines what a phone is shown. */
export type MenuContext = {
  phoneNumber: string
  language: MenuLanguage
  /** Remaining lock-out because of wrong payment codes; 0 if not locked out. */
  lockedOutMs: number
  dialled: DialledCode | undefined
  way: WayToPay | undefined
  /** Time on the clock of the code's Space. */
  now: Date
}

/** Result of one step: the reply, the session's next stage, and the action to perform. */
export type Transition = {
  reply: Reply
  stage: MenuStage
  amount: bigint | null
  language: MenuLanguage
  action?: 'count-wrong-code' | 'dial-otp' | 'pay' | 'save-language'
}

const maxSteps = 20 // limit: steps in a USSD session

/** Decides the transition without side effects. `number` is the dialled digits, `input` the last entry. */
export function transitionOf(
  context: MenuContext,
  session: UssdSession | undefined,
  { number, input }: Pick<Step, 'number' | 'input'>,
): Transition {
  if (session && (session.stage === 'over' || session.turns >= maxSteps))
    return ending(context, menuTexts[context.language].over)
  switch (session?.stage) {
    case 'amount':
      return whilePayable(context, (dialled) => enterAmount(context, dialled, input))
    case 'confirm':
      return choose(context, must(session.amount, 'shown amount'), input)
    default:
      return begin(context, number)
  }
}

const asking = (
  { language }: MenuContext,
  stage: MenuStage,
  reply: Reply,
  amount: bigint | null = null,
): Transition => ({ reply, stage, amount, language })

const ending = (context: MenuContext, text: string, action?: Transition['action']): Transition => ({
  ...asking(context, 'over', end(text)),
  ...(action && { action }),
})

/** Six digits are an OTP and ten a payment code; anything else is a typo. */
function begin(context: MenuContext, number: string | undefined): Transition {
  const words = menuTexts[context.language]
  if (number === undefined) return asking(context, 'number', ask(words.enterNumber))
  if (/^[0-9]{6}$/.test(number)) return ending(context, words.notValid, 'dial-otp')
  if (!/^[0-9]{10}$/.test(number)) return ending(context, words.notValid)
  if (context.lockedOutMs > 0) return ending(context, lockedOutText(context.language, context.lockedOutMs))
  if (!context.dialled) return ending(context, words.notValid, 'count-wrong-code')
  return showBill(context)
}

/** Shows the payment to confirm: on dialling, and again if the code has changed since. */
export const showBill = (context: MenuContext): Transition =>
  whilePayable(context, (dialled) => {
    const { amount } = dialled.code
    return amount === null
      ? asking(context, 'amount', amountScreen(context.language, billOf(dialled)))
      : confirm(context, dialled, amount)
  })

/** A payer who may not pay sees the same text as one who dialled a code that does not exist. */
function whilePayable(
  context: MenuContext,
  next: (dialled: DialledCode, provider: Provider) => Transition,
): Transition {
  const { dialled, way, now, phoneNumber } = context
  const words = menuTexts[context.language]
  if (!dialled || !isPayable(dialled.code, now)) return ending(context, words.notValid)
  if ((dialled.code.authorizedPhoneNumber ?? phoneNumber) !== phoneNumber)
    return ending(context, words.notValid)
  if (!way) return ending(context, words.notFromThisNetwork)
  const { provider, pausedWords } = way
  if (pausedWords !== undefined)
    return ending(context, pausedText(context.language, provider.name, pausedWords))
  return next(dialled, provider)
}

const billOf = ({ code: { name, currency }, payee }: DialledCode): Bill => ({ name, payee, currency })

const confirm = (context: MenuContext, dialled: DialledCode, amount: bigint): Transition =>
  asking(context, 'confirm', confirmScreen(context.language, billOf(dialled), amount), amount)

function enterAmount(context: MenuContext, dialled: DialledCode, input: string): Transition {
  const { amount: fixed, currency } = dialled.code
  // The merchant may have set an amount since.
  const amount = fixed ?? readAmount(input, currency)
  return amount === undefined
    ? asking(context, 'amount', amountScreen(context.language, billOf(dialled), true))
    : confirm(context, dialled, amount)
}

/** 1 pays, 2 cancels, 3 and 4 change the language; anything else shows the same screen again. */
function choose(context: MenuContext, amount: bigint, input: string): Transition {
  const { language } = context
  const words = menuTexts[language]
  const choice = input.trim()
  if (choice === '2') return ending(context, words.cancelled)
  return whilePayable(context, (dialled, provider) => {
    if (choice === '1') {
      const text = words.asked(toGsm7(provider.name), showMoney(language, dialled.code.currency, amount))
      return { ...ending(context, text, 'pay'), amount }
    }
    const other = otherLanguages(language)[Number(choice) - 3]
    if (!other) return confirm(context, dialled, amount)
    return { ...confirm({ ...context, language: other }, dialled, amount), action: 'save-language' }
  })
}
