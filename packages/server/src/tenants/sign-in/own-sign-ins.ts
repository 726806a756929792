import Type from 'typebox'
import { sessionCookie } from '../../platform/http/admission/credentials.ts'
import { type Route, read } from '../../platform/http/commands/route.ts'
import {
  arrayOf,
  createTime,
  flag,
  object,
  ownId,
  shownText,
  withDescription,
} from '../../platform/http/shapes/shapes.ts'
import { showId } from '../../platform/ids.ts'
import { endOtherSessions } from '../spaces/session-store.ts'
import { endSession } from '../spaces/sessions.ts'
import { attemptMethods, attemptResults, listAttempts } from './attempt-store.ts'
import { type OwnRouteParts, ownRoute } from './own-route.ts'
import { attemptIds } from './resources.ts'

const signInAttempt = object(
  {
    id: ownId(attemptIds),
    method: withDescription(
      Type.Enum([...attemptMethods]),
      'Sign-in method. `link`: link sent by email; `passkey`: passkey; `totp`: authenticator code; `recovery_code`: recovery code; `oidc`: single sign-on; `mailed_code`: code sent by email, only for a step-up.',
    ),
    isStepUp: flag('True for a step-up by a user who was already signed in.'),
    result: Type.Enum([...attemptResults], {
      description:
        'Result. `succeeded`: the user was signed in; `failed`: the attempt was rejected; `locked`: the attempt was not checked, after too many failed ones.',
    }),
    address: shownText('IP address of the browser.', '192.0.2.7'),
    agent: Type.String({
      description: 'User-Agent of the browser, truncated to 200 characters.',
      examples: ['Mozilla/5.0 (X11; Linux x86_64) Firefox/145.0'],
    }),
    createTime,
  },
  { title: 'SignIn' },
)

const maxShown = 100 // maximum number of sign-in attempts listed

/** Routes that list the caller's sign-in attempts and end the caller's sessions. */
export const ownSignInRoutes = (parts: OwnRouteParts): Route[] => [
  read({
    url: '/v1/sign-ins',
    summary: 'List your sign-in attempts',
    about: 'The latest hundred attempts of the last 90 days.',
    permission: null,
    result: object(
      { signIns: arrayOf('Sign-in attempts, newest first.', signInAttempt) },
      { title: 'SignIns' },
    ),
    read: async ({ userId }) => ({
      signIns: (await listAttempts(parts.home, userId, maxShown)).map(({ id, at, ...attempt }) => ({
        id: showId(attemptIds, id),
        ...attempt,
        createTime: at.toISOString(),
      })),
    }),
  }),
  ownRoute(parts, {
    url: '/v1/sign-out',
    summary: 'Sign out of the current session',
    body: object({}),
    result: object({ isSignedOut: flag('Always true.') }),
    write: async (_body, { userId, sessionId, reply }) => {
      await parts.home.transaction((tx) => endSession(tx, userId, sessionId))
      reply.header('set-cookie', sessionCookie(parts.baseUrl, ''))
      return { isSignedOut: true }
    },
  }),
  ownRoute(parts, {
    url: '/v1/sessions/end-others',
    summary: 'Sign out of all other sessions',
    body: object({}),
    result: object({
      endedCount: withDescription(Type.Integer({ examples: [2] }), 'Number of sessions that were ended.'),
    }),
    write: async (_body, { userId, sessionId }) => ({
      endedCount: await parts.home.transaction((tx) => endOtherSessions(tx, userId, sessionId, new Date())),
    }),
  }),
]
