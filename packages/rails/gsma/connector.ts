import { randomUUID } from 'node:crypto'
import {
  type Connector,
  probeMissing,
  type RailKind,
  type RailOutcome,
  transactionOf,
  unknown,
} from '@pesewa/connector-kit'
import type { Agent } from 'undici'
import { balancesOf, findHolder, probeHeartbeat } from './account.ts'
import { disbursement, merchantPayment, reversal } from './documents.ts'
import { type GsmaGateway, longestCallMs, openGateway } from './gateway.ts'
import { outcomeOf, reportOf, resourceOf, submitted } from './responses.ts'
import type { GsmaSettings } from './settings.ts'

/**
 * Creates the connector for the GSMA's Mobile Money API, version 1.2. Our reference is the correlation id of
 * each request. A wallet processes each id only once, and queries use the same id.
 *
 * @param peer the sockets to this wallet; closed with the connector
 */
export function createGsma(settings: GsmaSettings, peer: Agent): Connector {
  const gateway = openGateway(settings, peer)
  const query =
    (kind: RailKind) =>
    ({ reference }: { reference: string }) =>
      followReference(gateway, settings.baseUrl, { kind, reference })
  return {
    longestCallMs: longestCallMs(settings),
    preparationMs: longestCallMs(settings) - settings.timeoutMs,
    collect: (order) =>
      gateway.post('/transactions/type/merchantpay', order, merchantPayment(settings, order), (response) =>
        submitted(response, 'collect'),
      ),
    queryCollection: query('collect'),
    disburse: (order) =>
      gateway.post('/transactions/type/disbursement', order, disbursement(settings, order), (response) =>
        submitted(response, 'disburse'),
      ),
    queryDisbursement: query('disburse'),
    async refund(order) {
      const original = transactionOf(order.original.railTransaction)
      if (original === undefined) return { outcome: 'refused', code: 'rejected', message: noTransaction }
      const path = `/transactions/${encodeURIComponent(original)}/reversals`
      return gateway.post(path, order, reversal(order), (response) => submitted(response, 'refund'))
    },
    queryRefund: query('refund'),
    readReport: ({ fields = {} }) => reportOf(fields),
    verifyAccount: (account) => findHolder(gateway, account),
    balances: () => balancesOf(gateway, settings),
    probe: async () => [
      await probeHeartbeat(gateway),
      await probeMissing('an unknown reference', query('collect')({ reference: randomUUID() })),
    ],
    close: () => peer.close(),
  }
}

const noTransaction = 'The payment cannot be refunded because the provider reported no transaction ID.'

const maxSteps = 2 // maximum number of links that are followed to get from our request to its transaction

/**
 * Finds the outcome of the request with our reference by following the wallet's links. Some of them lead first
 * to the state of the request, and from there to its transaction.
 */
async function followReference(
  gateway: GsmaGateway,
  baseUrl: string,
  subject: Parameters<typeof outcomeOf>[1],
): Promise<RailOutcome> {
  let next: RailOutcome | { path: string } = await gateway.get(
    `/responses/${subject.reference}`,
    (response) => resourceOf(response, baseUrl),
  )
  for (let step = 0; 'path' in next && step < maxSteps; step++)
    next = await gateway.get(next.path, (response) => outcomeOf(response, subject))
  return 'path' in next ? unknown('the wallet links one request to another') : next
}
