import type { Connector, MoneyOrder, RailKind, SubmitOutcome } from '@pesewa/connector-kit'
import type { Agent } from 'undici'
import { amountFor } from './amounts.ts'
import { createCallbackCheck } from './callback-keys.ts'
import { openDeposits } from './deposits.ts'
import { kinds, messageOf, partyOf, reasonOf } from './documents.ts'
import { openPawapay, type PawapaySettings } from './rail.ts'
import { outcomeOf, reportOf, submitted } from './responses.ts'
import { createStatements } from './statements.ts'

/** pawaPay's own rule: if a reference is still unknown after this time, the request never arrived. */
const defaultMissingAfterMs = 15 * 60_000

/**
 * Creates the connector for pawaPay's Merchant API, version 2. Our reference is the id of the deposit, payout
 * or refund. pawaPay processes each id only once, and queries use the same id.
 *
 * @param peer the sockets to pawaPay; closed with the connector
 */
export function createPawapay(settings: PawapaySettings, peer: Agent): Connector {
  const { name, baseUrl, pageOrigin, statementOrigin, isPreauth, timeoutMs } = settings
  const { missingAfterMs = defaultMissingAfterMs } = settings
  const rail = openPawapay(settings, peer)
  const conf = {
    DEPOSIT: rail.confOf('DEPOSIT'),
    PAYOUT: rail.confOf('PAYOUT'),
    REFUND: rail.confOf('REFUND'),
  }
  const submit = async (kind: RailKind, order: MoneyOrder, body: object): Promise<SubmitOutcome> => {
    const { operation, path, id } = kinds[kind]
    const { reference, currency, mayLeave } = order
    const amount = amountFor(name, operation, order, conf[operation].current()?.get(currency))
    if (typeof amount !== 'string') return { outcome: 'refused', ...amount }
    const message = { [id]: reference, amount, currency, ...body }
    return rail.post(path, message, (response) => submitted(response, { kind, reference }), mayLeave)
  }
  const check = createCallbackCheck(settings.callbackKeys, rail.readCallbackKeys)
  return {
    longestCallMs: timeoutMs,
    missingAfterMs: isPreauth ? defaultMissingAfterMs : missingAfterMs,
    ...(pageOrigin !== undefined && { pageOrigin }),
    ...openDeposits(settings, rail, conf.DEPOSIT, (order, body) => submit('collect', order, body)),
    disburse: (order) =>
      submit('disburse', order, { recipient: partyOf(name, order.payeeAccount), ...messageOf(order) }),
    queryDisbursement: ({ reference }) =>
      rail.get(`/v2/payouts/${reference}`, (response) =>
        outcomeOf(response, { kind: 'disburse', reference }),
      ),
    refund: (order) =>
      submit('refund', order, {
        depositId: order.original.reference,
        ...reasonOf(order),
      }),
    queryRefund: ({ reference }) =>
      rail.get(`/v2/refunds/${reference}`, (response) => outcomeOf(response, { kind: 'refund', reference })),
    readReport: (received) => reportOf(received, check(received)),
    predictProvider: rail.predict,
    balances: rail.balances,
    statements: createStatements({ name, origin: statementOrigin ?? new URL(baseUrl).origin }, rail),
    close: () => peer.close(),
  }
}
