import type { FastifyRequest } from 'fastify'
import { countryOfAddress } from '../../countries/origin.ts'
import type { PaymentParts } from '../../money/payments/payments.ts'
import type { PaymentSettings } from '../../money/payments/settings.ts'
import { type Payment, selectAttempts, selectLastAttempt } from '../../money/payments/store.ts'
import type { RefundSettings } from '../../money/refunds/settings.ts'
import type { Database } from '../../platform/db/database.ts'
import { together } from '../../platform/db/lookups.ts'
import { pathParams } from '../../platform/http/server/request.ts'
import type { Platform } from '../../platform/platform.ts'
import { existing, Refusal } from '../../platform/refusals.ts'
import type { Scope } from '../../platform/scope.ts'
import { shareReads } from '../../platform/shared-reads.ts'
import type { InstructionParts } from '../../rails/instructions/parts.ts'
import type { Numbers } from '../../rails/providers/numbers.ts'
import type { Providers } from '../../rails/providers/providers.ts'
import type { ProviderSettings } from '../../rails/providers/settings.ts'
import { emptyBrand, selectRequestedBrand } from '../../tenants/spaces/brands.ts'
import { selectRequestedSpace } from '../../tenants/spaces/store.ts'
import type { DialAvailability } from './dial-availability.ts'
import { readPageKey } from './page-key.ts'
import { shownAttempt, stageOf, type Visit } from './page-state.ts'
import { isAttemptOf, languageFor, rememberedProvider } from './payer-cookies.ts'
import { findOffers } from './payment-options.ts'
import type { SessionLinks } from './session-links.ts'
import { maxAttempts } from './sessions.ts'
import type { CheckoutSettings } from './settings.ts'
import { selectRequestedSession } from './store.ts'

/** The dependencies of the slice. */
export type CheckoutParts = Platform<
  CheckoutSettings & PaymentSettings & RefundSettings & Pick<ProviderSettings, 'simulator'>
> &
  Providers &
  PaymentParts & { numbers: Numbers; links: SessionLinks; dialling: DialAvailability }

/** The dependencies of the slice's pages. */
export type PageParts = CheckoutParts & InstructionParts

/**
 * Returns a function that reads the data for a visit to a session. The newest attempt is read at the same moment as
 * the session, so that the attempt that paid a session is found. Concurrent visits share queries.
 */
export const shareVisits = (db: Database) =>
  shareReads(
    db,
    together({
      session: selectRequestedSession,
      space: selectRequestedSpace,
      brand: selectRequestedBrand,
      latest: selectLastAttempt,
    }),
  )

/**
 * Loads everything that a page needs to know about the session that its URL identifies. The look-up is limited
 * to the Space in this URL.
 */
export async function inVisit<T>(
  parts: CheckoutParts,
  find: ReturnType<typeof shareVisits>,
  request: FastifyRequest,
  handle: (visit: Visit) => Promise<T>,
): Promise<T> {
  const { seals, clock, db } = parts
  const { key = '' } = pathParams(request)
  const { scope, sessionId } = existing(readPageKey(seals, key))
  return db.within(scope.spaceId, async () => {
    const { session, space, brand, latest } = existing(await find(scope, sessionId))
    if (!session || !space) throw new Refusal('not_found')
    const attempts = await attemptsOf(parts, scope, latest)
    const now = clock.now(scope)
    const attempt = shownAttempt(session, attempts, now)
    const found = { session, space, attempt, now }
    const stage = stageOf(found)
    return handle({
      ...found,
      attempts,
      key,
      scope,
      brand: brand ?? emptyBrand,
      stage,
      offers: stage === 'choose' ? findOffers(parts, scope, session, countryOfAddress(request.ip)) : [],
      language: languageFor(parts, request),
      formToken: seals.tag('checkout form', key),
      isTheirs:
        attempt !== undefined &&
        isAttemptOf(parts, request, key, { providerId: attempt.providerId, account: attempt.payerAccount }),
      remembered: rememberedProvider(parts, request),
    })
  })
}

/**
 * Returns the attempts of a session that matter to its page, newest first. There are others only if the latest one
 * was started while another was in flight.
 */
async function attemptsOf({ db }: CheckoutParts, scope: Scope, latest: Payment | undefined) {
  if (!latest) return []
  return latest.supersedes === null ? [latest] : selectAttempts(db, scope, latest.originId, maxAttempts)
}
