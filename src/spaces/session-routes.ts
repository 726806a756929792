import Type from 'typebox'
import { type Route, read } from '../platform/http/route.ts'
import { described, idOf, object, pathName, timestamp } from '../platform/http/shapes.ts'
import { readId, showId } from '../platform/ids.ts'
import type { Platform } from '../platform/platform.ts'
import { sessionIds } from './resources.ts'
import {
  endSession,
  listSessions,
  maxSessions,
  noSuchSession,
  type Session,
  signInMethods,
} from './sessions.ts'

const session = object({
  id: described(idOf(sessionIds), 'The id of the session.'),
  isCurrent: Type.Boolean({ description: 'The session that calls.' }),
  method: Type.Enum([...signInMethods], {
    description:
      'How this person signed in. `link`: by a link in a mail; `passkey`: by a passkey; `oidc`: at the identity provider.',
  }),
  address: described(
    Type.String({ examples: ['192.0.2.7'] }),
    'The network address that the browser last came from.',
  ),
  agent: Type.String({
    description: 'What the browser calls itself, cut to 200 characters.',
    examples: ['Mozilla/5.0 (X11; Linux x86_64) Firefox/145.0'],
  }),
  createTime: described(timestamp, 'When it began.'),
  lastUseTime: described(timestamp, 'When it last called.'),
  expireTime: described(timestamp, 'When it ends by itself.'),
})

export const sessionRoutes = ({ db }: Platform): Route[] => [
  read({
    url: '/v1/sessions',
    summary: 'List where the caller is signed in at the console',
    permission: null,
    result: object(
      { sessions: described(Type.Array(session), 'All that are open, the one that was used last first.') },
      { title: 'Sessions' },
    ),
    read: async ({ userId, tokenId }) => ({
      sessions: (await listSessions(db, userId, new Date(), maxSessions)).map((each) =>
        present(each, each.id === tokenId),
      ),
    }),
  }),
  {
    kind: 'change',
    method: 'DELETE',
    url: '/v1/sessions/:session',
    params: { session: pathName('The id of the session.', 'ses-01kaj3v5w8e4r9tbn2m6c7d0xz') },
    summary: 'Sign out of a session of the caller’s own',
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
