import Type from 'typebox'
import { sessionCookie } from '../platform/http/credentials.ts'
import { type Route, read } from '../platform/http/route.ts'
import { createTime, described, object, ownId } from '../platform/http/shapes.ts'
import { showId } from '../platform/ids.ts'
import { endOtherSessions, endSession } from '../spaces/sessions.ts'
import { attemptMethods, attemptResults, listAttempts } from './attempts.ts'
import { type OwnRouteParts, ownRoute } from './own-route.ts'
import { attemptIds } from './resources.ts'

const signInAttempt = object(
  {
    id: ownId(attemptIds),
    method: described(
      Type.Enum([...attemptMethods]),
      'How. `link`: by a link in a mail; `passkey`: by a passkey; `totp`: by a code of the authenticator app; `recovery_code`: by a recovery code; `oidc`: at the identity provider.',
    ),
    isStepUp: Type.Boolean({ description: 'By somebody who was signed in, to show again who they are.' }),
    result: Type.Enum([...attemptResults], {
      description: '`succeeded`, `failed`, or `locked`: not even looked at, after too many that failed.',
    }),
    address: described(Type.String({ examples: ['192.0.2.7'] }), 'The network address that it came from.'),
    agent: Type.String({
      description: 'What the browser calls itself, cut to 200 characters.',
      examples: ['Mozilla/5.0 (X11; Linux x86_64) Firefox/145.0'],
    }),
    createTime,
  },
  { title: 'SignIn' },
)

const maxShown = 100 // limit: tries to sign in that are shown

/** Who signed in as the caller, or tried to; and signing out. */
export const ownSignInRoutes = (parts: OwnRouteParts): Route[] => [
  read({
    url: '/v1/sign-ins',
    summary: 'List who signed in as the caller, or tried to: the latest hundred of 90 days',
    permission: null,
    result: object(
      { signIns: described(Type.Array(signInAttempt), 'The latest first.') },
      { title: 'SignIns' },
    ),
    read: async ({ userId }) => ({
      signIns: (await listAttempts(parts.db, userId, maxShown)).map(({ id, at, ...attempt }) => ({
        id: showId(attemptIds, id),
        ...attempt,
        createTime: at.toISOString(),
      })),
    }),
  }),
  ownRoute(parts, {
    url: '/v1/sign-out',
    summary: 'Sign out of the calling session',
    body: object({}),
    result: object({ isSignedOut: described(Type.Boolean(), 'Always true.') }),
    write: async (_body, { userId, sessionId, reply }) => {
      await parts.db.transaction((tx) => endSession(tx, userId, sessionId))
      reply.header('set-cookie', sessionCookie(parts.baseUrl, ''))
      return { isSignedOut: true }
    },
  }),
  ownRoute(parts, {
    url: '/v1/sessions/end-others',
    summary: 'Sign out of all sessions but the calling one',
    body: object({}),
    result: object({ endedCount: described(Type.Integer({ examples: [2] }), 'How many sessions ended.') }),
    write: async (_body, { userId, sessionId }) => ({
      endedCount: await parts.db.transaction((tx) => endOtherSessions(tx, userId, sessionId, new Date())),
    }),
  }),
]
