import Type from 'typebox'
import { type Route, read } from '../../platform/http/commands/route.ts'
import {
  arrayOf,
  flag,
  idOf,
  object,
  pathName,
  shownText,
  timestamp,
  withDescription,
} from '../../platform/http/shapes/shapes.ts'
import { readId, showId } from '../../platform/ids.ts'
import type { Platform } from '../../platform/platform.ts'
import { sessionIds } from './resources.ts'
import { type Session, selectSessionsOf, signInMethods } from './session-store.ts'
import { endSession, maxSessions, noSuchSession } from './sessions.ts'

const session = object({
  id: withDescription(idOf(sessionIds), 'Session id.'),
  isCurrent: flag('True for the session that makes this request.'),
  method: Type.Enum([...signInMethods], {
    description: 'Sign-in method. `link`: link sent by email; `passkey`: passkey; `oidc`: single sign-on.',
  }),
  address: shownText('IP address of the last request.', '192.0.2.7'),
  agent: Type.String({
    description: 'User-Agent of the browser, truncated to 200 characters.',
    examples: ['Mozilla/5.0 (X11; Linux x86_64) Firefox/145.0'],
  }),
  createTime: withDescription(timestamp, 'Time of the sign-in.'),
  lastUseTime: withDescription(timestamp, 'Time of the last request.'),
  expireTime: withDescription(timestamp, 'Time at which the session expires.'),
})

export const sessionRoutes = ({ home }: Platform): Route[] => [
  read({
    url: '/v1/sessions',
    summary: 'List your console sessions',
    permission: null,
    result: object({ sessions: arrayOf('Active sessions, newest first.', session) }, { title: 'Sessions' }),
    read: async ({ userId, tokenId }) => ({
      sessions: (await selectSessionsOf(home, userId, new Date(), maxSessions)).map((each) =>
        present(each, each.id === tokenId),
      ),
    }),
  }),
  {
    kind: 'change',
    isHome: true,
    method: 'DELETE',
    url: '/v1/sessions/:session',
    params: { session: pathName('Session id.', 'ses-01kaj3v5w8e4r9tbn2m6c7d0xz') },
    summary: 'Sign out of one of your sessions',
    permission: null,
    result: Type.Null(),
    write: async (tx, { userId, params: { session = '' } }) => {
      const id = readId(sessionIds, session)
      if (!id) throw noSuchSession()
      await endSession(tx, userId, id)
      return null
    },
  },
]

const present = (
  { id, method, address, agent, createdAt, seenAt, expiresAt }: Session,
  isCurrent: boolean,
) => ({
  id: showId(sessionIds, id),
  isCurrent,
  method,
  address,
  agent,
  createTime: createdAt.toISOString(),
  lastUseTime: seenAt.toISOString(),
  expireTime: expiresAt.toISOString(),
})
