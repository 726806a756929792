import type { StoredCollection, StoredDisbursement } from '@pesewa/connector-kit/simulator'
import { simulatorMerchant } from '../test-credentials.ts'

export type StoredRequest = StoredCollection | StoredDisbursement

/**
 * The standard's names for the outcomes. The simulator internally uses MTN's names for them. Outcomes that are
 * not mapped are reported as generic errors.
 */
const errors: Readonly<Record<string, readonly [category: string, code: string]>> = {
  NOT_ENOUGH_FUNDS: ['businessRule', 'insufficientFunds'],
  APPROVAL_REJECTED: ['authorisation', 'requestDeclined'],
  EXPIRED: ['authorisation', 'requestingPartyAuthorisationError'],
  PAYER_NOT_FOUND: ['identification', 'identifierError'],
  PAYEE_NOT_FOUND: ['identification', 'identifierError'],
  PAYER_LIMIT_REACHED: ['businessRule', 'dailyValueLimitExceeded'],
  PAYEE_LIMIT_REACHED: ['businessRule', 'maxBalanceExceeded'],
  SENDER_ACCOUNT_NOT_ACTIVE: ['businessRule', 'incorrectState'],
  ACCOUNTHOLDER_NOT_ACTIVE: ['businessRule', 'incorrectState'],
}

function errorOf({ reason }: StoredRequest): object {
  const [errorCategory, errorCode] = errors[reason ?? ''] ?? ['businessRule', 'genericError']
  return { errorCategory, errorCode, errorDescription: 'Simulated failure.' }
}

const serverPrefix = 'srv-'

/** Returns the id that the server assigns to a request. */
const serverIdOf = ({ reference }: Pick<StoredRequest, 'reference'>) => serverPrefix + reference

/** Returns the reference of the request to which the server has assigned this id. */
export const referenceIn = (serverId: string) =>
  serverId.startsWith(serverPrefix) ? serverId.slice(serverPrefix.length) : ''

/** Returns the state of a request immediately after its submission. */
export const pendingState = (key: Pick<StoredRequest, 'reference'>) => ({
  serverCorrelationId: serverIdOf(key),
  status: 'pending',
  notificationMethod: 'callback',
  pollLimit: 100,
})

/** Returns the current state of a request. */
export function stateOf(stored: StoredRequest): object {
  if (stored.status === 'FAILED') return { ...pendingState(stored), status: 'failed', error: errorOf(stored) }
  return stored.status === 'PENDING'
    ? pendingState(stored)
    : { ...pendingState(stored), status: 'completed', objectReference: transactionReferenceOf(stored) }
}

const transactionReferenceOf = ({ financialTransactionId }: StoredRequest) => `REF-${financialTransactionId}`

/** Returns the transaction of a request. */
export function transactionOf(stored: StoredRequest): object {
  const { reference, amount, currency, payerMessage, externalId } = stored
  return {
    transactionReference: transactionReferenceOf(stored),
    requestingOrganisationTransactionReference: reference,
    transactionStatus: 'completed',
    amount,
    currency,
    ...partiesOf(stored),
    descriptionText: payerMessage,
    ...(externalId && { customData: [{ key: 'orderNumber', value: externalId }] }),
  }
}

function partiesOf(stored: StoredRequest): object {
  const party = (value: string) => [{ key: 'msisdn', value: `+${value}` }]
  if ('payer' in stored)
    return { type: 'merchantpay', debitParty: party(stored.payer), creditParty: [simulatorMerchant] }
  const type = stored.refundOf === null ? 'disbursement' : 'reversal'
  return { type, debitParty: [simulatorMerchant], creditParty: party(stored.payee) }
}

/** Returns the link to a request's transaction or, as long as there is none, to the request's state. */
export const linkOf = (stored: StoredRequest): string =>
  stored.status === 'SUCCESSFUL'
    ? `/transactions/${transactionReferenceOf(stored)}`
    : `/requeststates/${serverIdOf(stored)}`

/** Returns a callback, which contains either the transaction or the reason for the failure. */
export const reportOf = (stored: StoredRequest): object =>
  stored.status === 'SUCCESSFUL' ? transactionOf(stored) : errorOf(stored)
