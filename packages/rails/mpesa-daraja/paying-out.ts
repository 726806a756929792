import {
  type Connector,
  type Disbursement,
  type MoneyOrder,
  msisdnOf,
  type OutboundAnswer,
  parseFields,
  type RailOutcome,
  type RailQuery,
  type SubmitOutcome,
  unknown,
} from '@pesewa/connector-kit'
import { gatewayFailures, outOfRange, unnamedOriginal, withCents } from './codes.ts'
import { codeOf, errorOf, idOf, isRefusal, plainText, shillingsOf, shownError } from './documents.ts'
import type { DarajaGateway } from './gateway.ts'
import { findHolder } from './holder.ts'
import { securityCredential } from './security-credential.ts'
import type { DarajaPayouts } from './settings.ts'

/** Suffixes of the callback URL of a payout or refund, which identify the kind of report. */
export const callbackSuffixes = {
  /** The request timed out in a queue. */
  timeout: 'timeout',
  /** The result of a query. */
  status: 'status',
  reversal: 'reversal',
  reversalStatus: 'reversal-status',
} as const

/**
 * Payouts, refunds (which are reversals) and queries about them. Safaricom reports all outcomes later. Reports
 * about payouts contain our reference; those about reversals contain only Safaricom's.
 */
export const openPayouts = (payouts: DarajaPayouts, gateway: DarajaGateway) =>
  ({
    async disburse(order) {
      const shillings = shillingsOf(order.amount)
      if (shillings === undefined) return { outcome: 'refused', ...withCents }
      if (shillings < 10n || shillings > 250_000n) return { outcome: 'refused', ...outOfRange }
      const payment = paymentOf(payouts, order, shillings)
      return gateway.post('/mpesa/b2c/v3/paymentrequest', payment, paidOut, order)
    },
    queryDisbursement: (query) =>
      queryStatus(payouts, gateway, query, { id: query.reference, notice: callbackSuffixes.status }),
    queryRefund: async (query) => {
      const { providerReference } = query
      if (providerReference === undefined) return unknown('no report has identified the reversal yet')
      return queryStatus(payouts, gateway, query, {
        id: providerReference,
        notice: callbackSuffixes.reversalStatus,
      })
    },
    ...(payouts.reverses && openReversals(payouts, gateway)),
    ...(payouts.checksNames && {
      verifyAccount: (account: string) => findHolder(gateway, payouts.shortCode, msisdnOf(account)),
    }),
  }) satisfies Partial<Connector>

const openReversals = (payouts: DarajaPayouts, gateway: DarajaGateway) =>
  ({
    refundsWholeOnly: true,
    refund: async ({ original, ...order }) => {
      const shillings = shillingsOf(order.amount)
      if (shillings === undefined) return { outcome: 'refused', ...withCents }
      if (original.railTransaction === null) return { outcome: 'refused', ...unnamedOriginal }
      const reversal = {
        Initiator: payouts.initiatorName,
        SecurityCredential: securityCredential(payouts),
        CommandID: 'TransactionReversal',
        TransactionID: original.railTransaction,
        Amount: String(shillings),
        ReceiverParty: payouts.shortCode,
        RecieverIdentifierType: '11',
        ...addresses(order, `${order.callbackUrl}/${callbackSuffixes.reversal}`),
        Remarks: plainText(order.description, maxRemarksLength, 'Refund'),
      }
      return gateway.post('/mpesa/reversal/v1/request', reversal, reversed, order)
    },
  }) satisfies Partial<Connector>

const maxRemarksLength = 100 // maximum length of the remarks on a payout in a request to M-Pesa

const paymentOf = (payouts: DarajaPayouts, order: Disbursement, shillings: bigint) => ({
  OriginatorConversationID: order.reference,
  InitiatorName: payouts.initiatorName,
  SecurityCredential: securityCredential(payouts),
  CommandID: payouts.command ?? 'BusinessPayment',
  Amount: String(shillings),
  PartyA: payouts.shortCode,
  PartyB: msisdnOf(order.payeeAccount),
  Remarks: plainText(order.description, maxRemarksLength, 'Payout'),
  ...addresses(order, order.callbackUrl),
})

const addresses = ({ callbackUrl }: Pick<MoneyOrder, 'callbackUrl'>, resultUrl: string) => ({
  ResultURL: resultUrl,
  QueueTimeOutURL: `${callbackUrl}/${callbackSuffixes.timeout}`,
})

/** Starts a query. Its result arrives in a report. */
function queryStatus(
  payouts: DarajaPayouts,
  gateway: DarajaGateway,
  { callbackUrl }: RailQuery,
  { id, notice }: { id: string; notice: string },
): Promise<RailOutcome> {
  const address = `${callbackUrl}/${notice}`
  const query = {
    Initiator: payouts.initiatorName,
    SecurityCredential: securityCredential(payouts),
    CommandID: 'TransactionStatusQuery',
    OriginalConversationID: id,
    PartyA: payouts.shortCode,
    IdentifierType: '4',
    ResultURL: address,
    QueueTimeOutURL: address,
    Remarks: 'Status',
  }
  return gateway.post('/mpesa/transactionstatus/v1/query', query, (response) =>
    isOrderAccepted(response) ? { outcome: 'asked' } : unknown(shownError(response)),
  )
}

const isOrderAccepted = ({ status, body }: OutboundAnswer) =>
  status === 200 && codeOf(parseFields(body)?.ResponseCode) === '0'

function paidOut(response: OutboundAnswer): SubmitOutcome {
  const { code, text } = errorOf(response)
  // Safaricom already has this request.
  const isDuplicate = code === '500.002.1001' && /duplicate originatorconversationid/i.test(text)
  return isOrderAccepted(response) || isDuplicate ? { outcome: 'accepted' } : refusedOrUnknown(response)
}

function reversed(response: OutboundAnswer): SubmitOutcome {
  if (!isOrderAccepted(response)) return refusedOrUnknown(response)
  const providerReference = idOf(parseFields(response.body)?.OriginatorConversationID)
  return providerReference === undefined
    ? unknown('the response does not identify the reversal')
    : { outcome: 'accepted', providerReference }
}

function refusedOrUnknown(response: OutboundAnswer): SubmitOutcome {
  const failure = isRefusal(response) ? gatewayFailures.refusalOf(errorOf(response).code) : undefined
  return failure ? { outcome: 'refused', ...failure } : unknown(shownError(response))
}
