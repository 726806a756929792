import Type from 'typebox'
import type { Reader } from '../platform/db/database.ts'
import { sql } from '../platform/db/sql.ts'
import { type Route, read } from '../platform/http/route.ts'
import { idOf, nullableText, object } from '../platform/http/shapes.ts'
import { showId } from '../platform/ids.ts'
import { must } from '../platform/must.ts'
import type { Platform } from '../platform/platform.ts'
import { allows, permissions, type Role, roleNames } from './permissions.ts'
import { spaceIds, tokenIds, userIds } from './resources.ts'
import { selectUser } from './store.ts'

const me = object(
  {
    user: object({ id: idOf(userIds), email: Type.String() }),
    caller: object({ type: Type.Enum(['token', 'session']), id: Type.String() }),
    environment: Type.Enum(['test', 'live']),
    freshUntil: nullableText,
    spaces: Type.Array(
      object({
        id: idOf(spaceIds),
        name: Type.String(),
        country: Type.String(),
        role: Type.Enum([...roleNames]),
        permissions: Type.Array(Type.String()),
      }),
    ),
  },
  { title: 'Me' },
)

export const meRoutes = ({ db }: Platform): Route[] => [
  read({
    url: '/v1/me',
    summary: 'Who calls, and what they may do where',
    permission: null,
    result: me,
    read: async ({ userId, tokenId, scope }) => {
      const user = must(await selectUser(db, userId), 'user of a caller')
      const rows = await selectOwnSpaces(db, userId, tokenId)
      return {
        user: { id: showId(userIds, user.id), email: user.email },
        caller: { type: 'token' as const, id: showId(tokenIds, tokenId) },
        environment: scope.environment,
        freshUntil: null,
        spaces: rows.map(({ id, name, country, role, scopes }) => ({
          id: showId(spaceIds, id),
          name,
          country,
          role,
          permissions: permissions().filter((permission) => allows(scopes, role, permission)),
        })),
      }
    },
  }),
]

type OwnSpace = { id: string; name: string; country: string; role: Role; scopes: string[] }

const selectOwnSpaces = (db: Reader, userId: string, tokenId: string) =>
  db.query<OwnSpace>(sql`
    select space.id, space.name, space.country, member.role, token.scopes
    from tokens token
    join members member on member.user_id = ${userId}
    join spaces space on space.id = member.space_id
    where token.id = ${tokenId} and (token.space_ids is null or space.id = any(token.space_ids))
    order by space.id
    limit 100`)
