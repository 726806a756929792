import { randomUUID } from 'node:crypto'
import {
  type AccountHolder,
  holderNameOf,
  type OutboundAnswer,
  parseFields,
  unknown,
} from '@pesewa/connector-kit'
import { fieldsOf } from '@pesewa/values'
import { nairobiNow, shownError } from './documents.ts'
import type { DarajaGateway } from './gateway.ts'

/** Looks up an account holder with Safaricom's "Hakikisha", which returns the first name and masks the others. */
export function findHolder(
  gateway: DarajaGateway,
  shortCode: string,
  msisdn: string,
): Promise<AccountHolder> {
  const question = {
    header: { requestID: randomUUID(), timestamp: nairobiNow() },
    body: { msisdn, shortcode: shortCode },
  }
  return gateway.post('/mpesa/b2c/hakikisha/v1/hakikisha', question, holderOf)
}

function holderOf(response: OutboundAnswer): AccountHolder {
  const { header, body } = parseFields(response.body) ?? {}
  const { firstName, middleName, lastName, message } = fieldsOf(body)
  if (response.status === 400 && message === 'The customer does not exist.') return { outcome: 'missing' }
  if (response.status !== 200 || String(fieldsOf(header).status) !== '200')
    return unknown(shownError(response))
  const holderName = holderNameOf(firstName, middleName, lastName)
  // `isActive` is always true here: if the account is not active, the payout will fail for that reason.
  return holderName ? { outcome: 'found', holderName, isActive: true } : unknown('the response has no name')
}
