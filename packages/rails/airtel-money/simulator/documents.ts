import type { RailSeals } from '@pesewa/connector-kit'
import type { StoredCollection, StoredDisbursement } from '@pesewa/connector-kit/simulator'
import { hashesOf } from '../report.ts'
import { testAccount } from '../test-account.ts'

type Ending = { status: 'TF' | 'TE'; code: string; message: string }
const failed = (code: string, message: string): Ending => ({ status: 'TF', code, message })

/** Airtel's codes for the outcomes. The simulator internally uses MTN's names for them. */
const ofPayments: Readonly<Record<string, Ending>> = {
  NOT_ENOUGH_FUNDS: failed('1007', 'Insufficient balance'),
  APPROVAL_REJECTED: failed('1008', 'Transaction refused'),
  EXPIRED: { status: 'TE', code: '1029', message: 'Transaction expired' },
  COULD_NOT_PERFORM_TRANSACTION: failed('1005', 'User did not enter PIN'),
  SENDER_ACCOUNT_NOT_ACTIVE: failed('1010', 'Payee is barred or not registered'),
  PAYER_LIMIT_REACHED: failed('1003', 'Withdrawal amount limit exceeded'),
}
const ofDisbursements: Readonly<Record<string, Ending>> = {
  NOT_ENOUGH_FUNDS: failed('1007', 'Insufficient funds'),
  PAYEE_NOT_ALLOWED_TO_RECEIVE: failed('1013', 'Transaction refused'),
  EXPIRED: { status: 'TE', code: '1005', message: 'Transaction expired' },
  COULD_NOT_PERFORM_TRANSACTION: failed('1005', 'Transaction failed'),
  ACCOUNTHOLDER_NOT_ACTIVE: failed('1010', 'User is not allowed'),
  PAYEE_LIMIT_REACHED: failed('1003', 'Maximum limit of the day reached'),
}

/** Returns the response to an enquiry, which contains no amount. */
export function airtelDocumentOf(stored: StoredCollection | StoredDisbursement): object {
  const { reference: id } = stored
  const { status, code, message } = endOf(stored)
  const money = airtelMoneyId(stored)
  return {
    data: { transaction: { ...(money && { airtel_money_id: money }), id, message, status } },
    status: {
      code: '200',
      message: 'SUCCESS',
      result_code: 'ESB000010',
      response_code: `${'payee' in stored ? 'DP0090000' : 'DP0080000'}${code}`,
      success: status === 'TS',
    },
  }
}

function endOf(stored: StoredCollection | StoredDisbursement) {
  const [endings, other] =
    'payee' in stored
      ? [ofDisbursements, failed('1005', 'Transaction failed')]
      : [ofPayments, failed('1009', 'Do not honor')]
  if (stored.status === 'PENDING') return { status: 'TIP', code: '1006', message: 'In process' }
  if (stored.status === 'SUCCESSFUL') return { status: 'TS', code: '1001', message: 'success' }
  return endings[stored.reason ?? ''] ?? other
}

const airtelMoneyId = ({ financialTransactionId }: StoredCollection | StoredDisbursement) =>
  financialTransactionId === null ? undefined : `MP${financialTransactionId}`

/**
 * Returns a callback. In countries that authenticate callbacks, it contains a hash of one of the two texts that
 * Airtel documents.
 */
export function airtelReportOf(stored: StoredCollection | StoredDisbursement, seals: RailSeals): object {
  const country = stored.providerId.slice(-2).toUpperCase()
  const { callbackKey }: { callbackKey?: string } = testAccount(seals, country)
  const { status, message } = endOf(stored)
  const transaction = {
    id: stored.reference,
    message,
    status_code: status === 'TS' ? 'TS' : 'TF',
    airtel_money_id: airtelMoneyId(stored) ?? '',
  }
  const [hash, wrapped] = callbackKey === undefined ? [] : hashesOf(callbackKey, JSON.stringify(transaction))
  return { transaction, ...(hash && { hash: country === 'KE' ? wrapped : hash }) }
}
