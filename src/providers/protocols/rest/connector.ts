import type { Agent } from 'undici'
import type { Fields } from '../../../platform/fields.ts'
import { wholeNumber } from '../../../platform/http/json.ts'
import type { Connector } from '../../connector.ts'
import { collectionFailures, disbursementFailures } from './codes.ts'
import { call, holderOf, moneyMoved, outcomeOf, submitted } from './messages.ts'
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
      call(
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
        (response) => submitted(settings, response, collectionFailures),
      ),
    queryCollection: (reference) =>
      call(settings, peer, { method: 'GET', path: collectionPath(reference) }, (response) =>
        outcomeOf(settings, response, collectionFailures, moved),
      ),
    disburse: ({ reference, amount, payeeAccount, mayLeave, ...disbursement }) =>
      call(
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
        (response) => submitted(settings, response, disbursementFailures),
      ),
    queryDisbursement: (reference) =>
      call(settings, peer, { method: 'GET', path: transferPath(reference) }, (response) =>
        outcomeOf(settings, response, disbursementFailures, moved),
      ),
    readReport: (received) => readReport(settings, received),
    verifyAccount: (account) =>
      call(settings, peer, { method: 'GET', path: `/accounts/${encodeURIComponent(account)}` }, holderOf),
    close: () => peer.close(),
  }
}
