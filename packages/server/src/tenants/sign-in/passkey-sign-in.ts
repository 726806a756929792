import type { Static } from 'typebox'
import type { HomeTx } from '../../platform/db/database.ts'
import { type Browser, openRoute } from '../../platform/http/admission/open-route.ts'
import type { RawRoute } from '../../platform/http/commands/route.ts'
import { object, withDescription } from '../../platform/http/shapes/shapes.ts'
import { Refusal } from '../../platform/refusals.ts'
import { recordAttempt } from './attempt-store.ts'
import {
  bindToBrowser,
  bindToNewBrowser,
  bindToSession,
  issueChallenge,
  takeChallenge,
} from './challenges.ts'
import { type OwnRouteParts, ownRoute, type SignedInUser } from './own-route.ts'
import { assertedCredential, passkeyOptions } from './passkey-shapes.ts'
import { selectPasskeysOf } from './passkey-store.ts'
import { assertionOptions, checkAssertion, maxPasskeys, relyingPartyOf } from './passkeys.ts'
import { finishStepUp, type SignInLimits, signedIn, signIn, steppedUp } from './signing-in.ts'

const body = object({ credential: withDescription(assertedCredential, 'Response of the authenticator.') })
const example = {
  credential: {
    id: 'bWFkZSBmb3IgYW4gZXhhbXBsZQ',
    clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0',
    authenticatorData: 'SZYN5YgOjGh0NBcPZHZgW4',
    signature: 'MEUCIQCkR3s8bWFkZQ',
  },
}
type Asserted = Static<typeof assertedCredential>

/** Routes for signing in and stepping up with a passkey. */
export const passkeySignInRoutes = (parts: OwnRouteParts, limits: SignInLimits): RawRoute[] => [
  openRoute(parts.baseUrl, {
    url: '/v1/sign-in/passkey/begin',
    summary: 'Start signing in with a passkey',
    about: 'The options are valid for five minutes.',
    reasons: ['state_conflict'],
    example: {},
    body: object({}),
    result: passkeyOptions,
    write: async (_body, browser) => {
      await limits.begin(browser)
      relyingPartyOf(parts.baseUrl)
      const place = bindToNewBrowser(parts, browser)
      const challenge = await parts.home.transaction((tx) => issueChallenge(tx, place))
      return { options: { ...(await assertionOptions(parts.baseUrl, challenge, [])) } }
    },
  }),
  openRoute(parts.baseUrl, {
    url: '/v1/sign-in/passkey',
    summary: 'Sign in with a passkey',
    reasons: ['sign_in_failed'],
    example,
    body,
    result: signedIn,
    write: ({ credential }, browser) =>
      limits.attempt(browser, async () => {
        const done = await parts.home.transaction((tx) => signInByPasskey(parts, tx, credential, browser))
        if (!done) throw new Refusal('sign_in_failed')
        return done
      }),
  }),
  ownRoute(parts, {
    url: '/v1/step-up/passkey/begin',
    summary: 'Start a step-up with a passkey',
    about: 'The options are valid for five minutes.',
    reasons: ['state_conflict'],
    example: {},
    body: object({}),
    result: passkeyOptions,
    write: async (_body, { userId, sessionId }) => {
      const own = await selectPasskeysOf(parts.home, userId, maxPasskeys)
      if (own.length === 0) throw new Refusal('state_conflict', { message: 'You have no passkey.' })
      const place = bindToSession('step_up', sessionId)
      const challenge = await parts.home.transaction((tx) => issueChallenge(tx, place))
      return { options: { ...(await assertionOptions(parts.baseUrl, challenge, own)) } }
    },
  }),
  ownRoute(parts, {
    url: '/v1/step-up/passkey',
    summary: 'Step up with a passkey',
    reasons: ['sign_in_failed'],
    example,
    body,
    result: steppedUp,
    write: async ({ credential }, person) => {
      const isFresh = await parts.home.transaction((tx) => stepUpByPasskey(parts, tx, credential, person))
      if (!isFresh) throw new Refusal('sign_in_failed')
      return { isFresh }
    },
  }),
]

/**
 * Signs the user in and returns the result. If the passkey cannot be verified, returns `undefined` and records
 * a failed attempt for the passkey's owner, if known.
 */
async function signInByPasskey(parts: OwnRouteParts, tx: HomeTx, credential: Asserted, browser: Browser) {
  const challenge = await takeChallenge(tx, bindToBrowser(parts, browser))
  const checked = await checkAssertion(tx, parts.baseUrl, challenge, credential)
  if (checked?.isGood) return signIn(parts, tx, checked.userId, 'passkey', browser)
  if (checked)
    await recordAttempt(tx, { ...checked, method: 'passkey', isStepUp: false, result: 'failed' }, browser)
  return undefined
}

async function stepUpByPasskey(parts: OwnRouteParts, tx: HomeTx, credential: Asserted, person: SignedInUser) {
  const challenge = await takeChallenge(tx, bindToSession('step_up', person.sessionId))
  const checked = await checkAssertion(tx, parts.baseUrl, challenge, credential)
  const isGood = checked?.isGood === true && checked.userId === person.userId
  return finishStepUp(tx, 'passkey', isGood, person)
}
