import { fieldsOf } from '@pesewa/values'
import type { FastifyReply } from 'fastify'
import type { OpenClaims } from '../../platform/http/commands/claims.ts'
import type { RawRoute } from '../../platform/http/commands/route.ts'
import { Refusal } from '../../platform/refusals.ts'
import { findDialForm } from '../checkout/dial-form.ts'
import { redirectTo } from '../checkout/page-responses.ts'
import { readForm, sessionPages } from '../checkout/page-routes.ts'
import { dialState, isAsSeen, type Visit } from '../checkout/page-state.ts'
import { isPhone, showState } from '../checkout/page-views.ts'
import type { CheckoutParts } from '../checkout/visits.ts'
import { openSessionNumberClaims } from './numbers.ts'
import { formatDialString } from './payment-codes.ts'
import { openSessionCode } from './session-codes.ts'
import type { PaymentCodeSettings } from './settings.ts'
import { selectSessionCode } from './store.ts'

/** Defines the routes of the page on which a payer finds the code to dial for a checkout session. */
export function dialPages(parts: CheckoutParts & { settings: PaymentCodeSettings }): RawRoute[] {
  const page = sessionPages(parts)
  const claims = openSessionNumberClaims(parts)
  return [
    page('POST', '/pay/:key/dial', 'Open a code to dial for the session', (_, visit, reply) =>
      openCode(parts, claims, visit, reply),
    ),
    page('GET', '/pay/:key/dial', 'Show the code to dial', (_, visit, reply) =>
      showCode(parts, visit, reply),
    ),
  ]
}

async function openCode(parts: CheckoutParts, claims: OpenClaims, visit: Visit, reply: FastifyReply) {
  const { scope, session, key } = visit
  const elsewhere = `/pay/${key}/wait`
  if (!readForm(visit, reply).isOurs || !findDialForm(parts, visit, reply))
    return redirectTo(reply, elsewhere)
  try {
    await openSessionCode(parts, claims, scope, session.id, parts.clock.now(scope))
  } catch (error) {
    if (!(error instanceof Refusal) || error.reason !== 'state_conflict') throw error
    return redirectTo(reply, elsewhere)
  }
  return redirectTo(reply, `/pay/${key}/dial`)
}

/** Shows the code until there is another attempt, or the session has ended. */
async function showCode(
  parts: CheckoutParts & { settings: PaymentCodeSettings },
  visit: Visit,
  reply: FastifyReply,
) {
  const { seen } = fieldsOf(reply.request.query)
  const isCurrent = seen === undefined || isAsSeen(visit, seen)
  const code =
    isCurrent && findDialForm(parts, visit, reply)
      ? await selectSessionCode(parts.db, visit.scope, visit.session.id)
      : undefined
  if (!code) return redirectTo(reply, `/pay/${visit.key}/wait`)
  return showState(
    parts,
    visit,
    reply,
    dialState(visit, parts.catalogue, {
      code: formatDialString(parts.settings.ussdShortCode, code.number),
      isPhone: isPhone(reply.request),
    }),
  )
}
