import { randomUUID } from 'node:crypto'
import {
  type Collection,
  type Connector,
  type Disbursement,
  type Failures,
  type MoneyOrder,
  msisdnOf,
  type RailMessage,
  type RailOutcome,
  type RailRefund,
  unknown,
} from '@pesewa/connector-kit'
import { toMajorUnits } from '@pesewa/values'
import type { Agent } from 'undici'
import { balancesOf, findHolder, probeProduct } from './account.ts'
import { noteOf } from './documents.ts'
import { longestCallMs, openProduct, type Product } from './product.ts'
import { collectionFailures, disbursementFailures, inconclusive, refundFailures } from './reasons.ts'
import { outcomeOf, reportOf, submitted } from './responses.ts'
import type { MtnMomoSettings } from './settings.ts'

/**
 * Creates the connector for the MTN MoMo Open API. It uses the product `collection` and, if the connection has
 * credentials for it, `disbursement`. Our reference is the `X-Reference-Id` of the request. MTN processes each
 * reference only once, and queries use the same reference.
 *
 * @param peer the sockets to this rail; closed with the connector
 */
export function createMtnMomo(settings: MtnMomoSettings, peer: Agent): Connector {
  const collection = openProduct(settings, 'collection', settings.collection, peer)
  const disbursement =
    settings.disbursement && openProduct(settings, 'disbursement', settings.disbursement, peer)
  return {
    longestCallMs: longestCallMs(settings),
    preparationMs: longestCallMs(settings) - settings.timeoutMs,
    collect: (order) =>
      collection.call(requestToPay(settings, order), (response) => submitted(response, collectionFailures)),
    queryCollection: ({ reference }) =>
      collection.call(query('/requesttopay', reference), (response) =>
        outcomeOf(settings, response, notPaid),
      ),
    ...(disbursement && paysOut(settings, disbursement)),
    balances: () => balancesOf(settings, disbursement ? [collection, disbursement] : [collection]),
    probe: async () => [
      ...(await probeProduct(collection, query('/requesttopay', randomUUID()))),
      ...(disbursement ? await probeProduct(disbursement, query('/transfer', randomUUID())) : []),
    ],
    verifyAccount: (account) => findHolder(disbursement ?? collection, msisdnOf(account)),
    close: () => peer.close(),
  }
}

const paysOut = (settings: MtnMomoSettings, disbursement: Product) =>
  ({
    disburse: (order) =>
      disbursement.call(transfer(settings, order), (response) => submitted(response, disbursementFailures)),
    queryDisbursement: ({ reference }) =>
      disbursement.call(query('/transfer', reference), (response) =>
        outcomeOf(settings, response, notPaidOut, reference),
      ),
    refund: (order) =>
      disbursement.call(refund(settings, order), (response) => submitted(response, refundFailures)),
    queryRefund: ({ reference }) =>
      disbursement.call(query('/refund', reference), (response) =>
        outcomeOf(settings, response, notGivenBack, reference),
      ),
    readReport: ({ fields = {} }) => reportOf(settings, fields),
  }) satisfies Partial<Connector>

const requestToPay = (settings: MtnMomoSettings, { orderNumber, payerAccount, ...order }: Collection) =>
  moneyMessage(settings, '/requesttopay', order, {
    externalId: orderNumber,
    payer: { partyIdType: 'MSISDN', partyId: msisdnOf(payerAccount ?? '') },
  })

const transfer = (settings: MtnMomoSettings, { payeeAccount, ...order }: Disbursement) =>
  moneyMessage(settings, '/transfer', order, {
    externalId: order.reference,
    payee: { partyIdType: 'MSISDN', partyId: msisdnOf(payeeAccount) },
  })

const refund = (settings: MtnMomoSettings, { original, ...order }: RailRefund) =>
  moneyMessage(settings, '/refund', order, {
    externalId: order.reference,
    referenceIdToRefund: original.reference,
  })

function moneyMessage(
  { sandboxCurrency }: MtnMomoSettings,
  path: string,
  order: MoneyOrder,
  party: object,
): RailMessage {
  const currency = sandboxCurrency?.sent ?? order.currency
  const note = noteOf(order.description)
  return {
    method: 'POST',
    path,
    mayLeave: order.mayLeave,
    headers: {
      'x-reference-id': order.reference,
      'x-callback-url': order.callbackUrl,
    },
    body: {
      amount: toMajorUnits(order.amount, currency),
      currency,
      ...party,
      payerMessage: note,
      payeeNote: note,
    },
  }
}

const query = (path: string, reference: string): RailMessage => ({
  method: 'GET',
  path: `${path}/${encodeURIComponent(reference)}`,
})

const notPaid = (reason: string | undefined): RailOutcome => ({
  outcome: 'refused',
  ...collectionFailures.failureOf(reason),
})

const notMoved =
  (failures: Failures) =>
  (reason: string | undefined): RailOutcome =>
    inconclusive.includes(reason)
      ? unknown(`failed, ${reason}`)
      : { outcome: 'refused', ...failures.failureOf(reason) }

const notPaidOut = notMoved(disbursementFailures)
const notGivenBack = notMoved(refundFailures)
