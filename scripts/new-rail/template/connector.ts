import { randomUUID } from 'node:crypto'
import {
  type Connector,
  type Failures,
  type MoneyOrder,
  openClient,
  probeMissing,
  type RailQuery,
} from '@pesewa/connector-kit'
import { toMajorUnits } from '@pesewa/values'
import type { Agent } from 'undici'
import { paymentFailures, payoutFailures } from './codes.ts'
import { outcomeOf, reportOf, submitted } from './responses.ts'
import type { ExampleRailSettings } from './settings.ts'

/**
 * Creates the connector for Example Rail. Our reference is the rail's idempotency key, and queries use it.
 *
 * @param peer the sockets to this rail; closed with the connector
 */
export function createExampleRail(settings: ExampleRailSettings, peer: Agent): Connector {
  const { baseUrl, apiKey, timeoutMs } = settings
  const headers = () => ({ authorization: `Bearer ${apiKey}` })
  const { call } = openClient(peer, { baseUrl, timeoutMs, headers })
  const submit = (path: string, order: MoneyOrder, account: string, failures: Failures) => {
    const message = { path, body: documentOf(order, account), mayLeave: order.mayLeave }
    return call({ method: 'POST', ...message }, (response) => submitted(response, failures))
  }
  const query =
    (path: string, failures: Failures) =>
    ({ reference }: Pick<RailQuery, 'reference'>) =>
      call({ method: 'GET', path: `${path}/${reference}` }, (response) =>
        outcomeOf(response, reference, failures),
      )
  const queryCollection = query('/payments', paymentFailures)
  return {
    longestCallMs: timeoutMs,
    collect: (order) => submit('/payments', order, order.payerAccount ?? '', paymentFailures),
    queryCollection,
    disburse: (order) => submit('/payouts', order, order.payeeAccount, payoutFailures),
    queryDisbursement: query('/payouts', payoutFailures),
    readReport: ({ fields = {} }) => reportOf(fields),
    probe: async () => [
      await probeMissing('an unknown payment', queryCollection({ reference: randomUUID() })),
    ],
    close: () => peer.close(),
  }
}

/** Builds the body of a request. Replace: the rail's names of the fields, and its format of accounts. */
const documentOf = (order: MoneyOrder, account: string) => ({
  reference: order.reference,
  amount: toMajorUnits(order.amount, order.currency),
  currency: order.currency,
  account,
  description: order.description,
  callbackUrl: order.callbackUrl,
})
