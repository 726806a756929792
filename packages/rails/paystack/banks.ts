import type { ProbeStep } from '@pesewa/connector-kit'
import { fieldsOf } from '@pesewa/values'
import { type PaystackAnswer, type PaystackMessages, unclear } from './messages.ts'
import { phoneForTransfer } from './phones.ts'
import type { PaystackSettings } from './settings.ts'

/** Paystack's recipient types for bank accounts, by country. */
const bankTypes: Readonly<Record<string, string>> = { NG: 'nuban', GH: 'ghipss', KE: 'kepss', ZA: 'basa' }

/** The data with which Paystack identifies an account for payouts and name look-ups. */
export type PaystackPayee = { type: string; bankCode: string; accountNumber(account: string): string }

/**
 * Returns how Paystack identifies the accounts of a provider, or `undefined` if the code of the bank or wallet
 * is not known. A wallet's code is its name in capitals unless the connection sets a different one. The code of
 * a bank must be set by the operator, because with a wrong one, the money could go to somebody else.
 */
export function payeesOf({ type, country, as, bankCode }: PaystackSettings): PaystackPayee | undefined {
  if (type === 'momo')
    return {
      type: 'mobile_money',
      bankCode: bankCode ?? as?.toUpperCase() ?? '',
      accountNumber: phoneForTransfer,
    }
  const bankType = type === 'bank' ? bankTypes[country] : undefined
  return bankType !== undefined && bankCode !== undefined
    ? { type: bankType, bankCode, accountNumber: (account) => account }
    : undefined
}

const maxPages = 10 // maximum number of pages of Paystack’s list of banks that a connection test reads
const pageSize = 100 // number of banks on each page of Paystack’s list

/**
 * Checks that Paystack knows the code used for payouts, and shows the name of the bank or wallet to which it
 * belongs.
 */
export async function probeBankCode(
  { get }: Pick<PaystackMessages, 'get'>,
  { type, bankCode }: PaystackPayee,
  currency: string,
): Promise<ProbeStep> {
  const step = `the code ${bankCode} for payouts`
  for (let page = 1; page <= maxPages; page++) {
    const query = new URLSearchParams({ currency, type, perPage: String(pageSize), page: String(page) })
    const listed = await get(`/bank?${query}`, banksOf)
    if (!Array.isArray(listed)) return { step, outcome: 'unknown', detail: listed.why }
    const found = listed.find(({ code }) => code === bankCode)
    if (found) return { step, outcome: 'ok', detail: `Paystack calls it ${nameOf(found)}` }
    if (listed.length < pageSize)
      return { step, outcome: 'failed', detail: `the code is not in Paystack’s list for ${currency}` }
  }
  return { step, outcome: 'unknown', detail: 'the list is too long to read completely' }
}

const banksOf = (answer: PaystackAnswer) =>
  answer.isOk && Array.isArray(answer.data) ? answer.data.map(fieldsOf) : unclear(answer)

const nameOf = ({ name }: Record<string, unknown>) =>
  typeof name === 'string' && /^[\p{L}\p{N} .,&'()/-]{1,100}$/u.test(name)
    ? name
    : 'a name that cannot be shown'
