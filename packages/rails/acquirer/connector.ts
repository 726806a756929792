import {
  type Connector,
  cardOf,
  probeMissing,
  type RailOutcome,
  type SubmitOutcome,
  unknown,
} from '@pesewa/connector-kit'
import { type Fields, fieldsOf, wholeNumber } from '@pesewa/values'
import type { Agent } from 'undici'
import { collectionFailures } from '../rest/codes.ts'
import { moneyMoved, openRail, pathOf, withRefunds } from '../rest/messages.ts'
import type { RailSettings } from '../rest/settings.ts'

/**
 * Creates the connector for a card acquirer that has its own page. The payer enters the card details on that
 * page, so no card number ever reaches us. Sessions use the REST rail's messages. Cards cannot receive payouts,
 * but card payments can be refunded.
 *
 * @param peer the sockets to this rail; closed with the connector
 */
export function createAcquirer(settings: RailSettings, peer: Agent): Connector {
  const rail = openRail(settings, peer)
  return {
    pageOrigin: settings.pageOrigin,
    longestCallMs: settings.timeoutMs,
    collect: async ({ reference, amount, payerAccount: _, mayLeave, ...session }) => {
      const body = { amount: wholeNumber(amount), ...session }
      return withPage(await rail.submit(pathOf('sessions', reference), body, mayLeave, collectionFailures))
    },
    queryCollection: ({ reference }) => rail.query('sessions', reference, collectionFailures, paidByCard),
    ...withRefunds(rail, moneyMoved),
    probe: async () => [await probeMissing('an unknown session', rail.missing('sessions'))],
    close: () => peer.close(),
  }
}

/** Treats an accepted session without a page as unknown, because the payer has nowhere to pay it. */
const withPage = (result: SubmitOutcome): SubmitOutcome =>
  result.outcome === 'accepted' && !result.redirectUrl ? unknown('the session has no page') : result

/**
 * Reads the outcome of a card payment. If the details of the card cannot be read, they are omitted, because the
 * money has been moved in any case.
 */
function paidByCard(fields: Fields): RailOutcome {
  const moved = moneyMoved(fields)
  const card = cardOf(fieldsOf(fields.card))
  return moved.outcome === 'done' && card ? { ...moved, card } : moved
}
