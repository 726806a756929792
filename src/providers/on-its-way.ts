import type { Connector, Outcome } from './connector.ts'

/**
 * The same connector, which does not take a rail's "never heard of it" for an answer while the very request is on its
 * way there. However far a test clock is moved, what was sent a moment ago has not arrived.
 */
export function knowingWhatIsOnItsWay(connector: Connector): Connector {
  const onTheirWay = new Set<string>()
  const sending =
    <Asked extends { reference: string }, Answer>(send: (asked: Asked) => Promise<Answer>) =>
    async (asked: Asked): Promise<Answer> => {
      onTheirWay.add(asked.reference)
      return send(asked).finally(() => onTheirWay.delete(asked.reference))
    }
  const asking =
    (ask: (reference: string) => Promise<Outcome>) =>
    async (reference: string): Promise<Outcome> => {
      const isOnItsWay = onTheirWay.has(reference)
      const outcome = await ask(reference)
      return isOnItsWay && outcome.outcome === 'missing'
        ? { outcome: 'unknown', why: 'the request is on its way' }
        : outcome
    }
  const { collect, queryCollection, disburse, queryDisbursement } = connector
  return {
    ...connector,
    collect: sending(collect),
    queryCollection: asking(queryCollection),
    ...(disburse && { disburse: sending(disburse) }),
    ...(queryDisbursement && { queryDisbursement: asking(queryDisbursement) }),
  }
}
