import type { SimulatorParts, StoredCollection, StoredDisbursement } from '@pesewa/connector-kit/simulator'
import { toMajorUnits } from '@pesewa/values'

/**
 * pawaPay's names for the outcomes. The simulator internally uses MTN's names for them. Outcomes that are not
 * mapped are reported as unspecified.
 */
const ofDeposits: Readonly<Record<string, string>> = {
  NOT_ENOUGH_FUNDS: 'INSUFFICIENT_BALANCE',
  APPROVAL_REJECTED: 'PAYMENT_NOT_APPROVED',
  EXPIRED: 'PAYMENT_NOT_APPROVED',
  PAYER_NOT_FOUND: 'PAYER_NOT_FOUND',
  PAYER_LIMIT_REACHED: 'PAYER_LIMIT_REACHED',
  TRANSACTION_CANCELED: 'MANUALLY_CANCELLED',
}
const ofMoneyOut: Readonly<Record<string, string>> = {
  NOT_ENOUGH_FUNDS: 'PAWAPAY_WALLET_OUT_OF_FUNDS',
  PAYEE_NOT_FOUND: 'RECIPIENT_NOT_FOUND',
  PAYEE_LIMIT_REACHED: 'RECIPIENT_LIMIT_REACHED',
  TRANSACTION_CANCELED: 'MANUALLY_CANCELLED',
}

/**
 * Returns the document for a deposit, payout or refund. It is `data` in a query response, and the body of a
 * callback.
 */
export function dataOf(stored: StoredCollection | StoredDisbursement): object {
  const { reference, currency, status, financialTransactionId, payerMessage, externalId } = stored
  return {
    [idOf(stored)]: reference,
    status: stateOf(stored),
    amount: twoDecimals(stored),
    currency,
    ...partyOf(stored),
    ...(payerMessage && { customerMessage: payerMessage }),
    ...(externalId && { clientReferenceId: externalId }),
    ...(status === 'FAILED' && { failureReason: failureOf(stored) }),
    ...(financialTransactionId !== null && { providerTransactionId: String(financialTransactionId) }),
  }
}

/**
 * Returns the payer or the recipient. pawaPay has no payee note, so the simulator stores the provider's name in
 * that column.
 */
function partyOf(stored: StoredCollection | StoredDisbursement): object {
  const party = (phoneNumber: string) => ({
    type: 'MMO',
    accountDetails: { phoneNumber, provider: stored.payeeNote },
  })
  return 'payer' in stored ? { payer: party(stored.payer) } : { recipient: party(stored.payee) }
}

/**
 * Returns the document for a deposit. If the payer has not yet authorized it on its page, the document contains
 * the page's URL.
 */
export function documentWithPage(parts: SimulatorParts, deposit: StoredCollection): object {
  if (deposit.status !== 'PENDING' || deposit.returnUrl === null) return dataOf(deposit)
  return { ...dataOf(deposit), nextStep: 'REDIRECT_TO_AUTH_URL', authorizationUrl: pageUrlOf(parts, deposit) }
}

/** Returns the URL of a page, which anyone who knows the reference can use. */
const pageUrlOf = ({ baseUrl }: SimulatorParts, { protocol, providerId, reference }: StoredCollection) =>
  `${baseUrl}/simulator/${protocol}/${providerId}/pages/${reference}`

function idOf(stored: StoredCollection | StoredDisbursement): string {
  if ('payer' in stored) return 'depositId'
  return stored.refundOf === null ? 'payoutId' : 'refundId'
}

/** Returns the amount with decimals, even if its currency has none. */
function twoDecimals({ amountMinor, currency }: StoredCollection | StoredDisbursement): string {
  const text = toMajorUnits(amountMinor, currency)
  return text.includes('.') ? text : `${text}.00`
}

function stateOf({ status }: StoredCollection | StoredDisbursement): string {
  return { PENDING: 'PROCESSING', SUCCESSFUL: 'COMPLETED', FAILED: 'FAILED' }[status]
}

function failureOf(stored: StoredCollection | StoredDisbursement): object {
  const codes = 'payer' in stored ? ofDeposits : ofMoneyOut
  const failureCode = codes[stored.reason ?? ''] ?? 'UNSPECIFIED_FAILURE'
  return { failureCode, failureMessage: 'Simulated failure.' }
}
