import {
  type AccountHolder,
  holderNameOf,
  majorAmountOf,
  type OutboundAnswer,
  parseFields,
  type RailBalance,
  type UnknownOutcome,
  unknown,
} from '@pesewa/connector-kit'
import { fieldsOf } from '@pesewa/values'
import { shown } from './documents.ts'
import { isClear, isNotFound } from './responses.ts'

/** Reads the response to an account look-up. Only Airtel's own message means that the account does not exist. */
export function holderOf(response: OutboundAnswer): AccountHolder {
  const { data, status } = parseFields(response.body) ?? {}
  const { first_name, last_name, is_barred } = fieldsOf(data)
  if (isClear(response) && isNotFound(fieldsOf(status).message)) return { outcome: 'missing' }
  if (response.status !== 200) return unknown(shown(response))
  const holderName = holderNameOf(first_name, last_name)
  if (holderName === undefined || typeof is_barred !== 'boolean')
    return unknown('the response has no readable account holder')
  return { outcome: 'found', holderName, isActive: !is_barred }
}

/** Reads the balance of our own account, such as `"37,600.00"`. */
export function balanceOf(response: OutboundAnswer, currency: string): RailBalance | UnknownOutcome {
  const { balance, currency: stated } = fieldsOf(parseFields(response.body)?.data)
  if (response.status !== 200) return unknown(shown(response))
  const isGrouped = typeof balance === 'string' && /^[0-9]{1,3}(?:,[0-9]{3})*(?:\.[0-9]+)?$/.test(balance)
  const amount = majorAmountOf(isGrouped ? balance.replaceAll(',', '') : balance, currency)
  return amount === undefined || stated !== currency
    ? unknown('the response has no readable balance')
    : { name: `Airtel Money ${currency}`, currency, amount }
}
