import type { Agent } from 'undici'
import { wholeNumber } from '../../platform/http/json.ts'
import type { Connector } from '../connector.ts'
import { ask, moneyMoved, outcomeOf, submitted } from './messages.ts'
import type { RestSettings } from './settings.ts'

/**
 * The REST rail of banks and wallets, described in `docs/guides/rest-rail.md`. Our reference is in the address: the
 * rail does nothing twice under it.
 *
 * @param peer the connections to this rail; closed with the connector
 */
export function createRest(settings: RestSettings, peer: Agent): Connector {
  const path = (reference: string) => `/collections/${encodeURIComponent(reference)}`
  return {
    pageOrigin: settings.pageOrigin,
    collect: ({ reference, amount, payerAccount, ...collection }) =>
      ask(
        settings,
        peer,
        {
          method: 'PUT',
          path: path(reference),
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
        (answer) => submitted(settings, answer),
      ),
    queryCollection: (reference) =>
      ask(settings, peer, { method: 'GET', path: path(reference) }, (answer) =>
        outcomeOf(settings, answer, moneyMoved),
      ),
    close: () => peer.close(),
  }
}
