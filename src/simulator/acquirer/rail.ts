import Type from 'typebox'
import { Compile } from 'typebox/compile'
import { acquirer } from '../../rails/connections/protocols/acquirer/protocol.ts'
import type { SimulatedRail } from '../engine/rail.ts'
import { RailError } from '../engine/rail-error.ts'
import { railPageRoutes } from '../rest/pages.ts'
import { restCallbacks } from '../rest/rail.ts'
import { refundRoutes } from '../rest/refunds.ts'
import { address, collectionFields } from '../rest/request.ts'
import { collectionRoutes } from '../rest/routes.ts'
import type { RestVariant, TestCard } from '../rest/variant.ts'

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
export const acquirerRail: SimulatedRail = {
  ...restCallbacks,
  protocol: sessions.protocol,
  routes: (parts) => [
    ...collectionRoutes(parts, sessions),
    ...refundRoutes(parts, sessions),
    ...railPageRoutes(parts, sessions),
  ],
}
