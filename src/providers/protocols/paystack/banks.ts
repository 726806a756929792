import { fieldsOf } from '../../../platform/fields.ts'
import type { ProbeStep } from '../../connector.ts'
import { type PaystackAnswer, type PaystackMessages, unclear } from './messages.ts'
import { phoneForTransfer } from './phones.ts'
import type { PaystackSettings } from './settings.ts'

/** Recipients' types of bank accounts, by country. */
const bankTypes: Readonly<Record<string, string>> = { NG: 'nuban', GH: 'ghipss', KE: 'kepss', ZA: 'basa' }

/** How Paystack names an account that is paid out to, or whose name is looked up. */
export type PaystackPayee = { type: string; bankCode: string; accountNumber(account: string): string }

/**
 * `undefined` where it is not known: the code of a wallet is its name in capitals unless the connection says otherwise, that of a
 * bank only the operator knows, and a wrong one could be somebody else's account.
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

const maxPages = 10 // limit: pages of Paystack’s list of banks that a test of a connection reads
const pageSize = 100 // limit: banks on a page of Paystack’s list that is read

/** Whether Paystack has the code that accounts are named by, and whose it is. */
export async function probeBankCode(
  { get }: Pick<PaystackMessages, 'get'>,
  { type, bankCode }: PaystackPayee,
  currency: string,
): Promise<ProbeStep> {
  const step = `the code ${bankCode} of payouts`
  for (let page = 1; page <= maxPages; page++) {
    const query = new URLSearchParams({ currency, type, perPage: String(pageSize), page: String(page) })
    const listed = await get(`/bank?${query}`, banksOf)
    if (!Array.isArray(listed)) return { step, outcome: 'unknown', detail: listed.why }
    const found = listed.find(({ code }) => code === bankCode)
    if (found) return { step, outcome: 'ok', detail: `Paystack calls it ${nameOf(found)}` }
    if (listed.length < pageSize)
      return { step, outcome: 'failed', detail: `Paystack’s list for ${currency} does not have it` }
  }
  return { step, outcome: 'unknown', detail: 'the list is longer than is read' }
}

const banksOf = (answer: PaystackAnswer) =>
  answer.isOk && Array.isArray(answer.data) ? answer.data.map(fieldsOf) : unclear(answer)

const nameOf = ({ name }: Record<string, unknown>) =>
  typeof name === 'string' && /^[\p{L}\p{N} .,&'()/-]{1,100}$/u.test(name)
    ? name
    : 'something that cannot be shown'
