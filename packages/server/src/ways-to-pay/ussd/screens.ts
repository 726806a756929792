import { formatMoney, toMajorUnits } from '@pesewa/values'
import { wholeMinutes } from '../../platform/duration.ts'
import { cutTo, lengthOf, maxSeptets, septetsOf, toGsm7 } from '../../platform/gsm7.ts'
import type { Reply } from './session-store.ts'
import { type MenuLanguage, menuLanguages, menuTexts } from './texts.ts'

/** The payment's description and payee, as written by the merchant, and its currency. */
export type PaymentDetails = { name: string; payee: string; currency: string }

export const openReply = (text: string): Reply => ({ text: cutTo(text, maxSeptets), ends: false })
export const finalReply = (text: string): Reply => ({ text: cutTo(text, maxSeptets), ends: true })

/**
 * Returns the screen that shows the name, the payee, the amount and the choices: 1 to pay, 2 to cancel, and 3
 * and 4 for the other languages.
 */
export function confirmScreen(language: MenuLanguage, bill: PaymentDetails, amount: bigint): Reply {
  const words = menuTexts[language]
  const shown = showMoney(language, bill.currency, amount)
  const choices = `\n1 ${words.pay}\n2 ${words.cancel}\n${otherLanguages(language)
    .map((other, i) => `${i + 3} ${menuTexts[other].name}`)
    .join('  ')}`
  return openReply(fitToScreen(bill, (name, payee) => words.confirm(name, payee, shown) + choices))
}

export function amountScreen(language: MenuLanguage, bill: PaymentDetails, fault = false): Reply {
  const words = menuTexts[language]
  const before = fault ? `${words.invalidAmount}\n` : ''
  return openReply(fitToScreen(bill, (name, payee) => before + words.enterAmount(name, payee, bill.currency)))
}

/** Returns the languages other than the given one, in the order in which choices 3 and 4 offer them. */
export const otherLanguages = (language: MenuLanguage): MenuLanguage[] =>
  menuLanguages.filter((other) => other !== language)

/**
 * Formats an amount as is customary locally if handsets can display it (`Le 15.00`), and otherwise with the
 * currency code (`GHS 15.00`).
 */
export function showMoney(language: MenuLanguage, currency: string, value: bigint): string {
  const shown = formatMoney({ currency, value }, language)
  return septetsOf(shown) === undefined ? `${currency} ${toMajorUnits(value, currency)}` : shown
}

/**
 * Returns a text with the name and the payee inserted. If they do not fit, the longer one is cut first, and
 * then both to the same length.
 */
function fitToScreen({ name, payee }: PaymentDetails, make: (name: string, payee: string) => string): string {
  // Older names may contain no printable character, in which case a dash is shown.
  const [shownName, shownPayee] = [toGsm7(name) || '-', toGsm7(payee) || '-']
  const left = maxSeptets - lengthOf(make('', ''))
  const [nameRoom, payeeRoom] = [lengthOf(shownName), lengthOf(shownPayee)]
  const half = left >> 1
  const forName = Math.max(half, left - payeeRoom)
  const forPayee = Math.max(left - half, left - nameRoom)
  return make(cutTo(shownName, forName), cutTo(shownPayee, forPayee))
}

/** Returns the text for a paused provider, with as much of the operator's message as fits. */
export const pausedText = (language: MenuLanguage, provider: string, words: string): string =>
  `${menuTexts[language].paused(toGsm7(provider))}\n${toGsm7(words)}`

export const lockedOutText = (language: MenuLanguage, leftMs: number): string =>
  menuTexts[language].lockedOut(wholeMinutes(leftMs))
