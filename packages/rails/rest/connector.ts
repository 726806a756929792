import { type Connector, probeMissing } from '@pesewa/connector-kit'
import { type Fields, wholeNumber } from '@pesewa/values'
import type { Agent } from 'undici'
import { collectionFailures, disbursementFailures } from './codes.ts'
import { holderOf, moneyMoved, openRail, pathOf, withRefunds } from './messages.ts'
import { readReport } from './report.ts'
import type { RestSettings } from './settings.ts'

/**
 * Creates the connector for the REST rail for banks and wallets, which is described in
 * `docs/guides/rest-rail.md`. Our reference is part of the URL, and the rail processes each reference only
 * once.
 *
 * @param peer the sockets to this rail; closed with the connector
 */
export function createRest(settings: RestSettings, peer: Agent): Connector {
  const rail = openRail(settings, peer)
  const moved = (fields: Fields) => moneyMoved(fields, settings)
  return {
    pageOrigin: settings.pageOrigin,
    longestCallMs: settings.timeoutMs,
    collect: ({ reference, amount, payerAccount, mayLeave, ...order }) => {
      const payer = { account: payerAccount }
      const body = { flow: settings.flow, amount: wholeNumber(amount), payer, ...order }
      return rail.submit(pathOf('collections', reference), body, mayLeave, collectionFailures)
    },
    queryCollection: ({ reference }) => rail.query('collections', reference, collectionFailures, moved),
    disburse: ({ reference, amount, payeeAccount, mayLeave, ...order }) => {
      const body = { amount: wholeNumber(amount), payee: { account: payeeAccount }, ...order }
      return rail.submit(pathOf('transfers', reference), body, mayLeave, disbursementFailures)
    },
    queryDisbursement: ({ reference }) => rail.query('transfers', reference, disbursementFailures, moved),
    ...withRefunds(rail, moved),
    readReport: (received) => readReport(settings, received),
    probe: async () => [await probeMissing('an unknown collection', rail.missing('collections'))],
    verifyAccount: (account) => rail.get(pathOf('accounts', account), holderOf),
    close: () => peer.close(),
  }
}
