import { must } from '@pesewa/values'
import Type from 'typebox'
import { type Route, read } from '../../platform/http/commands/route.ts'
import {
  group,
  idOf,
  listOf,
  object,
  ownId,
  textOrNull,
  withDescription,
  withMeanings,
} from '../../platform/http/shapes/shapes.ts'
import { showId } from '../../platform/ids.ts'
import type { Platform } from '../../platform/platform.ts'
import {
  allows,
  installationPermissions,
  permissions,
  permits,
  roleNames,
  sessionRights,
} from './permissions.ts'
import { sessionIds, spaceIds, tokenIds, userIds } from './resources.ts'
import { selectOwnSpaces, selectToken, selectUser } from './store.ts'

const me = object(
  {
    user: group('The calling user.', {
      id: withDescription(idOf(userIds), 'User id.'),
      email: withDescription(Type.String(), 'Email address of the user.', 'ama@shop.example'),
    }),
    caller: group('Credential used for this request.', {
      type: withMeanings(Type.Enum(['token', 'session']), 'Type of credential.', {
        token: 'an access token',
        session: 'a console session',
      }),
      id: withDescription(Type.String(), 'Id of the token or session.', 'tok-01kaj3v5w8e4r9tbn2m6c7d0xz'),
    }),
    environment: withMeanings(Type.Enum(['test', 'live']), 'Environment of the caller.', {
      test: 'no real money moves',
      live: 'real money moves',
    }),
    installationPermissions: Type.Array(Type.String(), {
      description: 'Permissions of the caller in the installation. Empty unless the caller is an operator.',
      examples: [['installation:read']],
    }),
    freshUntil: textOrNull('Time until which no step-up is needed for sensitive actions; null for tokens.'),
    spaces: listOf('Spaces to which the caller has access.', {
      id: ownId(spaceIds),
      name: withDescription(Type.String(), 'Name of the Space.', 'Country Cloth Shop'),
      country: withDescription(Type.String(), 'Country of the Space as a two-letter ISO 3166-1 code.', 'SL'),
      role: withDescription(
        Type.Enum([...roleNames]),
        'Role of the user in this Space: `owner`, `admin`, `developer`, `finance`, `support` or `viewer`.',
      ),
      permissions: withDescription(Type.Array(Type.String()), 'Permissions of the caller in this Space.', [
        'payments:read',
      ]),
    }),
  },
  { title: 'Me' },
)

export const meRoutes = ({ db }: Platform): Route[] => [
  read({
    url: '/v1/me',
    summary: 'Retrieve the caller',
    about: 'Includes their permissions.',
    permission: null,
    result: me,
    read: async ({ userId, tokenId, session, scope }) => {
      const user = must(await selectUser(db, userId), 'user of a caller')
      const token = session ? sessionRights : must(await selectToken(db, tokenId), 'token of a caller')
      const rows = await selectOwnSpaces(db, userId, token.spaceIds)
      const approach = { spaceId: null, isOperator: user.isOperator, environment: scope.environment }
      return {
        user: { id: showId(userIds, user.id), email: user.email },
        caller: session
          ? { type: 'session' as const, id: showId(sessionIds, tokenId) }
          : { type: 'token' as const, id: showId(tokenIds, tokenId) },
        environment: scope.environment,
        freshUntil: session?.freshUntil.toISOString() ?? null,
        installationPermissions: installationPermissions
          .map(({ name }) => name)
          // The gate has already admitted the caller's address.
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
