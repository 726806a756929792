import type { Agent } from 'undici'
import { wholeNumber } from '../../../platform/http/json.ts'
import type { Connector } from '../../connector.ts'
import { collectionFailures, disbursementFailures } from './codes.ts'
import { ask, type Fields, holderOf, moneyMoved, outcomeOf, submitted } from './messages.ts'
import { readReport } from './report.ts'
import type { RestSettings } from './settings.ts'

/**
 * The REST rail of banks and wallets, described in `docs/guides/rest-rail.md`. Our reference is in the address: the
 * rail does nothing twice under it.
 *
 * @param peer the connections to this rail; closed with the connector
 */
export function createRest(settings: RestSettings, peer: Agent): Connector {
  const collectionPath = (reference: string) => `/collections/${encodeURIComponent(reference)}`
  const transferPath = (reference: string) => `/transfers/${encodeURIComponent(reference)}`
  const moved = (fields: Fields) => moneyMoved(fields, settings)
  return {
    pageOrigin: settings.pageOrigin,
    longestCallMs: settings.timeoutMs,
    collect: ({ reference, amount, payerAccount, mayLeave, ...collection }) =>
      ask(
        settings,
        peer,
        {
          method: 'PUT',
          mayLeave,
          path: collectionPath(reference),
          body: {
            flow: settings.flow,
            amount: wholeNumber(amount),
            currency: collection.currency,
            payer: { account: payerAccount },
            description: collection.description,
            orderNumber: collection.orderNumber,
            callbackUrl: collection.callbackUrl,
            returnUrl: collection.returnUrl,
          },
        },
        (answer) => submitted(settings, answer, collectionFailures),
      ),
    queryCollection: (reference) =>
      ask(settings, peer, { method: 'GET', path: collectionPath(reference) }, (answer) =>
        outcomeOf(settings, answer, collectionFailures, moved),
      ),
    disburse: ({ reference, amount, payeeAccount, mayLeave, ...disbursement }) =>
      ask(
        settings,
        peer,
        {
          method: 'PUT',
          mayLeave,
          path: transferPath(reference),
          body: {
            amount: wholeNumber(amount),
            currency: disbursement.currency,
            payee: { account: payeeAccount },
            description: disbursement.description,
            callbackUrl: disbursement.callbackUrl,
          },
        },
        (answer) => submitted(settings, answer, disbursementFailures),
      ),
    queryDisbursement: (reference) =>
      ask(settings, peer, { method: 'GET', path: transferPath(reference) }, (answer) =>
        outcomeOf(settings, answer, disbursementFailures, moved),
      ),
    readReport: (received) => readReport(settings, received),
    verifyAccount: (account) =>
      ask(settings, peer, { method: 'GET', path: `/accounts/${encodeURIComponent(account)}` }, holderOf),
    close: () => peer.close(),
  }
}
