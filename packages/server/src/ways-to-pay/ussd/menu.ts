import type { Provider } from '@pesewa/connector-kit'
import { must, readAmount } from '@pesewa/values'
import { toGsm7 } from '../../platform/gsm7.ts'
import { type DialledCode, isExpired, isOpen, isPayable } from '../payment-codes/payment-codes.ts'
import type { UssdProviderChoice } from './networks.ts'
import {
  amountScreen,
  confirmScreen,
  finalReply,
  lockedOutText,
  openReply,
  otherLanguages,
  type PaymentDetails,
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
  /** Remaining time of a lock-out because of wrong payment codes; 0 if the phone is not locked out. */
  lockedOutMs: number
  dialled: DialledCode | undefined
  providerChoice: UssdProviderChoice | undefined
  /** The current time on the clock of the code's Space. */
  now: Date
}

/** The result of one step: the reply, the next stage of the session, and the action to be performed. */
export type Transition = {
  reply: Reply
  stage: MenuStage
  amount: bigint | null
  language: MenuLanguage
  action?: 'count-wrong-code' | 'dial-otp' | 'pay' | 'save-language'
}

const maxSteps = 20

/**
 * Returns the transition for a step, without any side effects. `number` contains the dialled digits, and
 * `input` is the last entry.
 */
export function transitionOf(
  context: MenuContext,
  session: UssdSession | undefined,
  { number, input }: Pick<Step, 'number' | 'input'>,
): Transition {
  if (session && (session.stage === 'over' || session.turns >= maxSteps))
    return endWith(context, menuTexts[context.language].menuEnded)
  switch (session?.stage) {
    case 'amount':
      return ifPayable(context, (dialled) => enterAmount(context, dialled, input))
    case 'confirm':
      return handleChoice(context, must(session.amount, 'shown amount'), input)
    default:
      return begin(context, number)
  }
}

const continueWith = (
  { language }: MenuContext,
  stage: MenuStage,
  reply: Reply,
  amount: bigint | null = null,
): Transition => ({ reply, stage, amount, language })

const endWith = (context: MenuContext, text: string, action?: Transition['action']): Transition => ({
  ...continueWith(context, 'over', finalReply(text)),
  ...(action && { action }),
})

/**
 * Returns the transition for dialled digits. Six digits are an OTP, ten are a payment code, and anything else
 * is a typo.
 */
function begin(context: MenuContext, number: string | undefined): Transition {
  const words = menuTexts[context.language]
  if (number === undefined) return continueWith(context, 'number', openReply(words.enterNumber))
  if (/^[0-9]{6}$/.test(number)) return endWith(context, words.invalidCode, 'dial-otp')
  if (!/^[0-9]{10}$/.test(number)) return endWith(context, words.invalidCode)
  if (context.lockedOutMs > 0) return endWith(context, lockedOutText(context.language, context.lockedOutMs))
  if (!context.dialled) return endWith(context, words.invalidCode, 'count-wrong-code')
  return showPaymentDetails(context)
}

/**
 * Returns the transition to the screen that shows the details of the payment and asks for the amount (if the
 * code has none) or for a confirmation. The screen is shown when the code is dialled, and again if the code has
 * changed since then.
 */
export const showPaymentDetails = (context: MenuContext): Transition =>
  ifPayable(context, (dialled) => {
    const { amount } = dialled.code
    return amount === null
      ? continueWith(context, 'amount', amountScreen(context.language, billOf(dialled)))
      : confirm(context, dialled, amount)
  })

/**
 * Continues with `next` if the code can be paid. A payer who is not allowed to pay the code is shown the same
 * text as for a code that does not exist.
 */
function ifPayable(
  context: MenuContext,
  next: (dialled: DialledCode, provider: Provider) => Transition,
): Transition {
  const { dialled, providerChoice, now, phoneNumber } = context
  const words = menuTexts[context.language]
  if (dialled && isOfEndedSession(dialled, now))
    return endWith(context, dialled.code.status === 'completed' ? words.orderPaid : words.orderClosed)
  if (!dialled || !isPayable(dialled.code, now)) return endWith(context, words.invalidCode)
  if ((dialled.code.authorizedPhoneNumber ?? phoneNumber) !== phoneNumber)
    return endWith(context, words.invalidCode)
  if (!providerChoice) return endWith(context, words.notFromThisNetwork)
  const { provider, pausedWords } = providerChoice
  if (pausedWords !== undefined)
    return endWith(context, pausedText(context.language, provider.name, pausedWords))
  return next(dialled, provider)
}

/** Returns whether the code was right, but its checkout session has been paid, cancelled or has expired. */
const isOfEndedSession = ({ code }: DialledCode, now: Date): boolean =>
  code.checkoutSessionId !== null && (!isOpen(code) || isExpired(code, now))

const billOf = ({ code: { name, currency }, payee }: DialledCode): PaymentDetails => ({
  name,
  payee,
  currency,
})

const confirm = (context: MenuContext, dialled: DialledCode, amount: bigint): Transition =>
  continueWith(context, 'confirm', confirmScreen(context.language, billOf(dialled), amount), amount)

function enterAmount(context: MenuContext, dialled: DialledCode, input: string): Transition {
  const { amount: fixed, currency } = dialled.code
  // The merchant may have set an amount since the payer dialled.
  const amount = fixed ?? readAmount(input, currency)
  return amount === undefined
    ? continueWith(context, 'amount', amountScreen(context.language, billOf(dialled), true))
    : confirm(context, dialled, amount)
}

/**
 * Returns the transition for a choice: 1 pays, 2 cancels, and 3 and 4 change the language. Any other input
 * shows the same screen again.
 */
function handleChoice(context: MenuContext, amount: bigint, input: string): Transition {
  const { language } = context
  const words = menuTexts[language]
  const choice = input.trim()
  if (choice === '2') return endWith(context, words.cancelled)
  return ifPayable(context, (dialled, provider) => {
    if (choice === '1') {
      const text = words.pinPrompt(toGsm7(provider.name), showMoney(language, dialled.code.currency, amount))
      return { ...endWith(context, text, 'pay'), amount }
    }
    const other = otherLanguages(language)[Number(choice) - 3]
    if (!other) return confirm(context, dialled, amount)
    return { ...confirm({ ...context, language: other }, dialled, amount), action: 'save-language' }
  })
}
