import { RailError, type SimulatedRail } from '@pesewa/connector-kit/simulator'
import Type from 'typebox'
import { Compile } from 'typebox/compile'
import { railPageRoutes } from '../../rest/simulator/pages.ts'
import { restCallbacks } from '../../rest/simulator/rail.ts'
import { refundRoutes } from '../../rest/simulator/refunds.ts'
import { address, collectionFields } from '../../rest/simulator/request.ts'
import { collectionRoutes } from '../../rest/simulator/routes.ts'
import type { RestVariant, TestCard } from '../../rest/simulator/variant.ts'
import { acquirer } from '../protocol.ts'

const session = Compile(
  Type.Object({ ...collectionFields, returnUrl: address }, { additionalProperties: false }),
)

/**
 * The cards that payers can choose. They choose one instead of typing a number, so no card number can ever be
 * stored.
 */
export const testCards: readonly TestCard[] = [
  { scheme: 'visa', name: 'Visa', last4: '4242' },
  { scheme: 'mastercard', name: 'Mastercard', last4: '4444' },
  { scheme: 'verve', name: 'Verve', last4: '5556' },
]

const sessions: RestVariant = {
  protocol: acquirer.name,
  who: 'card acquirer',
  noun: 'sessions',
  readBody(body) {
    if (!session.Check(body)) throw new RailError(400, 'request_invalid')
    return { ...body, payer: '' }
  },
  cards: testCards,
}

/** The card acquirer. Payers choose a card and an outcome on its page. */
export const simulatedRail: SimulatedRail = {
  ...restCallbacks,
  protocol: sessions.protocol,
  routes: (parts) => [
    ...collectionRoutes(parts, sessions),
    ...refundRoutes(parts, sessions),
    ...railPageRoutes(parts, sessions),
  ],
}
