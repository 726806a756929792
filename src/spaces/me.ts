import Type from 'typebox'
import type { Reader } from '../platform/db/database.ts'
import { sql } from '../platform/db/sql.ts'
import { type Route, read } from '../platform/http/route.ts'
import { idOf, nullableText, object } from '../platform/http/shapes.ts'
import { showId } from '../platform/ids.ts'
import { must } from '../platform/must.ts'
import type { Platform } from '../platform/platform.ts'
import { allows, installationPermissions, permissions, permits, type Role, roleNames } from './permissions.ts'
import { spaceIds, tokenIds, userIds } from './resources.ts'
import { selectToken, selectUser } from './store.ts'

const me = object(
  {
    user: object({ id: idOf(userIds), email: Type.String() }),
    caller: object({ type: Type.Enum(['token', 'session']), id: Type.String() }),
    environment: Type.Enum(['test', 'live']),
    installationPermissions: Type.Array(Type.String(), {
      description: 'What the caller may do in the installation; nothing, but for its operators.',
      examples: [['installation:read']],
    }),
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

const maxSpaces = 100 // limit: Spaces that `/v1/me` names

export const meRoutes = ({ db }: Platform): Route[] => [
  read({
    url: '/v1/me',
    summary: 'Who calls, and what they may do where',
    permission: null,
    result: me,
    read: async ({ userId, tokenId, scope }) => {
      const user = must(await selectUser(db, userId), 'user of a caller')
      const token = must(await selectToken(db, tokenId), 'token of a caller')
      const rows = await selectOwnSpaces(db, userId, token.spaceIds)
      const approach = { spaceId: null, isOperator: user.isOperator, environment: scope.environment }
      return {
        user: { id: showId(userIds, user.id), email: user.email },
        caller: { type: 'token' as const, id: showId(tokenIds, tokenId) },
        environment: scope.environment,
        freshUntil: null,
        installationPermissions: installationPermissions
          .map(({ name }) => name)
          // From this address it was admitted.
          .filter((permission) =>
            permits({ ...token, networks: null }, { ...approach, address: '' }, permission),
          ),
        spaces: rows.map(({ id, name, country, role }) => ({
          id: showId(spaceIds, id),
          name,
          country,
          role,
          permissions: permissions().filter((permission) => allows(token.scopes, role, permission)),
        })),
      }
    },
  }),
]

type OwnSpace = { id: string; name: string; country: string; role: Role }

const selectOwnSpaces = (db: Reader, userId: string, only: readonly string[] | null) =>
  db.query<OwnSpace>(sql`
    select space.id, space.name, space.country, member.role
    from members member join spaces space on space.id = member.space_id
    where member.user_id = ${userId} and (${only}::uuid[] is null or space.id = any(${only}::uuid[]))
    order by space.id
    limit ${maxSpaces}`)
