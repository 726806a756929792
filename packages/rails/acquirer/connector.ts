import {
  type Connector,
  cardSchemes,
  type PaidCard,
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
  const card = cardOf(fields.card)
  return moved.outcome === 'done' && card ? { ...moved, card } : moved
}

function cardOf(value: unknown): PaidCard | undefined {
  const { scheme, last4, token } = fieldsOf(value)
  const cardScheme = cardSchemes.find((name) => name === scheme)
  if (!cardScheme || typeof last4 !== 'string' || !/^[0-9]{4}$/.test(last4)) return undefined
  return typeof token === 'string' && isToken(token) ? { scheme: cardScheme, last4, token } : undefined
}

/**
 * Returns whether a token is acceptable. A token that could be a card number is rejected, regardless of what
 * the acquirer calls it.
 */
const isToken = (token: string) => /^[\x21-\x7e]{8,128}$/.test(token) && !/[0-9]{13}/.test(token)
