import { must } from '@pesewa/values'
import { type Route, read } from '../../platform/http/commands/route.ts'
import { arrayOf, flag, object, referenceTo, withDescription } from '../../platform/http/shapes/shapes.ts'
import { readId, showId } from '../../platform/ids.ts'
import { Refusal } from '../../platform/refusals.ts'
import { selectUser } from '../spaces/store.ts'
import { bindToSession, issueChallenge, takeChallenge } from './challenges.ts'
import { mailNotice } from './notices.ts'
import { type OwnRouteParts, ownRoute } from './own-route.ts'
import { newCredential, passkey, passkeyName, passkeyOptions } from './passkey-shapes.ts'
import { deletePasskey, type Passkey, renamePasskey, selectPasskeysOf } from './passkey-store.ts'
import { maxPasskeys, registerPasskey, registrationOptions } from './passkeys.ts'
import { passkeyIds } from './resources.ts'

/**
 * Routes for the caller's own passkeys. Even the last one can be removed, because signing in with a link always
 * works.
 */
export const passkeyRoutes = (parts: OwnRouteParts): Route[] => [
  read({
    url: '/v1/passkeys',
    summary: 'List your passkeys',
    permission: null,
    result: object({ passkeys: arrayOf('Passkeys, newest first.', passkey) }, { title: 'Passkeys' }),
    read: async ({ userId }) => ({
      passkeys: (await selectPasskeysOf(parts.home, userId, maxPasskeys)).map(present),
    }),
  }),
  beginRoute(parts),
  registerRoute(parts),
  ownRoute(parts, {
    url: '/v1/passkeys/rename',
    summary: 'Rename a passkey',
    reasons: ['not_found'],
    example: { id: 'pky-01kaj3v5w8e4r9tbn2m6c7d0xz', name: 'Work laptop' },
    body: object({ id: withDescription(referenceTo(passkeyIds), 'Passkey id.'), name: passkeyName }),
    result: object({ isRenamed: flag('Always true.') }),
    write: async ({ id, name }, { userId }) => {
      const isRenamed = await parts.home.transaction((tx) =>
        renamePasskey(tx, userId, readPasskeyId(id), name),
      )
      if (!isRenamed) throw noSuchPasskey()
      return { isRenamed }
    },
  }),
  ownRoute(parts, {
    url: '/v1/passkeys/remove',
    summary: 'Remove a passkey',
    reasons: ['not_found', 'step_up_required'],
    example: { id: 'pky-01kaj3v5w8e4r9tbn2m6c7d0xz' },
    body: object({ id: withDescription(referenceTo(passkeyIds), 'Passkey id.') }),
    result: object({ isRemoved: flag('Always true.') }),
    needsStepUp: true,
    write: async ({ id }, person) => {
      await parts.home.transaction(async (tx) => {
        if (!(await deletePasskey(tx, person.userId, readPasskeyId(id)))) throw noSuchPasskey()
        await mailNotice(tx, person.userId, 'passkey_removed', person)
      })
      return { isRemoved: true }
    },
  }),
]

const beginRoute = (parts: OwnRouteParts) =>
  ownRoute(parts, {
    url: '/v1/passkeys/begin',
    summary: 'Start registering a passkey',
    about: 'The options are valid for five minutes.',
    reasons: ['state_conflict', 'step_up_required'],
    example: {},
    body: object({}),
    result: passkeyOptions,
    needsStepUp: true,
    write: async (_body, { userId, sessionId }) => {
      const user = must(await selectUser(parts.home, userId), 'user of a session')
      const own = await selectPasskeysOf(parts.home, userId, maxPasskeys)
      if (own.length >= maxPasskeys)
        throw new Refusal('state_conflict', {
          message: `You can have at most ${maxPasskeys} passkeys. Remove one first.`,
        })
      const place = bindToSession('register', sessionId)
      const challenge = await parts.home.transaction((tx) => issueChallenge(tx, place))
      return { options: { ...(await registrationOptions(parts.baseUrl, user, challenge, own)) } }
    },
  })

const registerRoute = (parts: OwnRouteParts) =>
  ownRoute(parts, {
    url: '/v1/passkeys',
    summary: 'Register a passkey',
    reasons: ['sign_in_failed', 'state_conflict', 'step_up_required'],
    example: {
      name: 'My phone',
      credential: {
        id: 'bWFkZSBmb3IgYW4gZXhhbXBsZQ',
        clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0',
        attestationObject: 'o2NmbXRkbm9uZWdhdHRTdG10',
        transports: ['internal'],
      },
    },
    body: object({
      name: passkeyName,
      credential: withDescription(newCredential, 'Response of the authenticator.'),
    }),
    result: passkey,
    needsStepUp: true,
    write: async ({ name, credential }, person) => {
      const { userId, sessionId } = person
      const made = await parts.home.transaction(async (tx) => {
        const challenge = await takeChallenge(tx, bindToSession('register', sessionId))
        if (!challenge) return undefined
        const added = await registerPasskey(tx, parts.baseUrl, { userId, name, challenge, credential })
        if (added) await mailNotice(tx, userId, 'passkey_added', person)
        return added
      })
      if (!made) throw new Refusal('sign_in_failed', { message: notRegistered })
      return present(made)
    },
  })

const notRegistered =
  'The passkey could not be registered. It may already be registered, or the request may have expired. Try again.'

const noSuchPasskey = () => new Refusal('not_found', { message: 'You have no passkey with this id.' })

function readPasskeyId(shown: string): string {
  const id = readId(passkeyIds, shown)
  if (!id) throw noSuchPasskey()
  return id
}

const present = ({ id, name, isSynced, createdAt, usedAt }: Passkey) => ({
  id: showId(passkeyIds, id),
  name,
  isSynced,
  createTime: createdAt.toISOString(),
  lastUseTime: usedAt?.toISOString() ?? null,
})
