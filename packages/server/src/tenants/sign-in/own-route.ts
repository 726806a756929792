import type { Static, TSchema } from 'typebox'
import { checkFreshness, tokenLimit } from '../../platform/http/admission/admission.ts'
import { credentialsOf } from '../../platform/http/admission/credentials.ts'
import type { Caller, Gate } from '../../platform/http/admission/gate.ts'
import { type Browser, openRoute } from '../../platform/http/admission/open-route.ts'
import type { Documentation, RawRoute } from '../../platform/http/commands/route.ts'
import { requireLimits } from '../../platform/limits/limits.ts'
import type { Platform } from '../../platform/platform.ts'
import { Refusal } from '../../platform/refusals.ts'
import type { SignInSettings } from './settings.ts'

export type OwnRouteParts = Platform<SignInSettings> & { gate: Gate }

type OwnRoute<B extends TSchema, R extends TSchema> = Documentation & {
  url: string
  example?: object
  body: B
  result: R
  needsStepUp?: boolean
  write(body: Static<B>, person: SignedInUser): Promise<Static<R>>
}

/** A signed-in user and their browser. */
export type SignedInUser = Browser & { userId: string; sessionId: string }

/**
 * Defines a POST route with which callers manage how they sign in. It accepts a session cookie but no API
 * token, because a token has only some of its user's permissions, and a new sign-in method would give it all of
 * them. It needs no idempotency key, because responses with secrets or with the results of attempts are never
 * replayed.
 */
export const ownRoute = <B extends TSchema, R extends TSchema>(
  parts: OwnRouteParts,
  { needsStepUp = false, write, ...route }: OwnRoute<B, R>,
): RawRoute =>
  openRoute(parts.baseUrl, {
    ...route,
    async write(body, browser) {
      const caller = await authenticate(parts, browser)
      if (needsStepUp) await checkFreshness(parts.gate, caller)
      return write(body, { ...browser, userId: caller.userId, sessionId: caller.tokenId })
    },
  })

async function authenticate(parts: OwnRouteParts, { request, address }: Browser): Promise<Caller> {
  const { gate, settings, baseUrl } = parts
  const caller = await gate.authenticate(credentialsOf(request, baseUrl), address)
  if (!caller.session)
    throw new Refusal('access_denied', {
      message: 'This requires a console session. API tokens cannot call it.',
    })
  if (settings.rateLimits === 'on')
    await requireLimits(parts, tokenLimit(caller.tokenId, settings.tokenLimitLive))
  return caller
}
