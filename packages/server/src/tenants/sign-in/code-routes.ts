import { type Browser, openRoute } from '../../platform/http/admission/open-route.ts'
import type { RawRoute } from '../../platform/http/commands/route.ts'
import { object, text } from '../../platform/http/shapes/shapes.ts'
import { Refusal } from '../../platform/refusals.ts'
import { freshenSession } from '../spaces/sessions.ts'
import { checkSignInCode, noTotp, refuseFailed } from './codes.ts'
import { type OwnRouteParts, ownRoute } from './own-route.ts'
import { endSecondStep, findSecondStep } from './second-steps.ts'
import { type SignInLimits, signedIn, startSession, steppedUp } from './signing-in.ts'

const body = object({
  code: text(6, 40, { description: 'Six-digit code from the authenticator app, or a recovery code.' }),
})

/** Routes that accept a code: the second step after a sign-in link, and step-up. */
export const codeRoutes = (parts: OwnRouteParts, limits: SignInLimits): RawRoute[] => [
  openRoute(parts.baseUrl, {
    url: '/v1/sign-in/code',
    summary: 'Finish signing in with a code',
    about: 'From an authenticator app, or a recovery code.',
    reasons: ['sign_in_failed', 'state_conflict'],
    example: { code: '482915' },
    body,
    result: signedIn,
    write: ({ code }, browser) => limits.attempt(browser, () => finishByCode(parts, code, browser)),
  }),
  ownRoute(parts, {
    url: '/v1/step-up/code',
    summary: 'Step up with a code',
    about: 'From an authenticator app, or a recovery code.',
    reasons: ['sign_in_failed', 'state_conflict'],
    example: { code: '482915' },
    body,
    result: steppedUp,
    write: async ({ code }, person) => {
      const { userId, sessionId } = person
      const tried = await parts.home.transaction(async (tx) => {
        const result = await checkSignInCode(tx, parts, code, { userId, isStepUp: true }, person)
        if (result?.result === 'succeeded') await freshenSession(tx, sessionId, new Date())
        return result
      })
      if (!tried) throw noTotp()
      refuseFailed(tried)
      return { isFresh: true }
    },
  }),
]

async function finishByCode(parts: OwnRouteParts, code: string, browser: Browser) {
  const { tried, session } = await parts.home.transaction(async (tx) => {
    const step = await findSecondStep(tx, parts, browser)
    const tried = step && (await checkSignInCode(tx, parts, code, { ...step, isStepUp: false }, browser))
    if (!step || !tried) throw nothingToFinish()
    if (tried.result !== 'succeeded') return { tried }
    if (!(await endSecondStep(tx, parts, browser))) throw nothingToFinish()
    return { tried, session: await startSession(parts, tx, step.userId, 'link', browser) }
  })
  refuseFailed(tried)
  if (!session) throw nothingToFinish()
  return session
}

const nothingToFinish = () =>
  new Refusal('state_conflict', { message: 'No sign-in is waiting for a code. Request a new link.' })
