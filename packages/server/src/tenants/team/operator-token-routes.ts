import Type from 'typebox'
import { homeCommand, list, type Route, read } from '../../platform/http/commands/route.ts'
import {
  arrayOf,
  createTime,
  flag,
  idOf,
  nullableTime,
  object,
  optionalEnum,
  ownId,
  shownText,
  withDescription,
} from '../../platform/http/shapes/shapes.ts'
import { showId } from '../../platform/ids.ts'
import type { Platform } from '../../platform/platform.ts'
import { Refusal } from '../../platform/refusals.ts'
import { environments } from '../../platform/scope.ts'
import { writeAuditEntry } from '../spaces/audit.ts'
import { deciderOf } from '../spaces/deciders.ts'
import { spaceIds, tokenIds, userIds } from '../spaces/resources.ts'
import { reasonText } from '../spaces/shapes.ts'
import { revokeToken } from '../spaces/spaces.ts'
import { selectAnyToken, type Token } from '../spaces/store.ts'
import { statusOf } from './access-token-shapes.ts'
import { selectMemberships } from './member-store.ts'
import { selectTokenPage, tokenStatuses } from './token-store.ts'

const url = '/v1/installation/tokens'

const nullableTexts = (description: string) =>
  Type.Unsafe<string[] | null>({ type: ['array', 'null'], items: { type: 'string' }, description })

const token = object(
  {
    id: ownId(tokenIds),
    userId: withDescription(idOf(userIds), 'Owner of the token.'),
    environment: Type.Enum(environments, { description: 'Environment of the token: `test` or `live`.' }),
    name: shownText('Name of the token.', 'Website'),
    status: Type.Enum(tokenStatuses, { description: '`active`, `expired` or `revoked`.' }),
    scopes: arrayOf('Scopes of the token.', Type.String()),
    spaceIds: nullableTexts('Spaces in which the token can be used; null for all.'),
    networks: nullableTexts('Networks from which the token can be used; null for all.'),
    createTime,
    expireTime: withDescription(nullableTime, 'When the token expires; null if it never does.'),
    revokeTime: withDescription(nullableTime, 'When the token was revoked.'),
    lastUseTime: withDescription(nullableTime, 'When the token was last used.'),
  },
  { title: 'InstallationToken' },
)

/** Routes for operators to list and revoke the access tokens of all users. Tokens are created by a command. */
export const operatorTokenRoutes = ({ home }: Pick<Platform, 'home'>): Route[] => [
  list({
    url,
    permission: 'installation:read',
    summary: 'List the access tokens of all users',
    query: object({
      status: optionalEnum(tokenStatuses, 'Only tokens with this status.'),
    }),
    result: token,
    list: ({ query: { status } }, page) => selectTokenPage(home, status, page),
    position: ({ id }) => id,
    present,
  }),
  read({
    url: `${url}/:id`,
    idKind: tokenIds,
    permission: 'installation:read',
    summary: 'Retrieve an access token of any user',
    result: token,
    read: async ({ id }) => {
      const row = await selectAnyToken(home, id)
      if (!row) throw new Refusal('not_found', { message: 'There is no such token.' })
      return present(row)
    },
  }),
  homeCommand({
    url: `${url}/:id/revoke`,
    idKind: tokenIds,
    permission: 'installation:write',
    summary: 'Revoke an access token of any user',
    about: 'Takes effect within a second.',
    needsStepUp: true,
    result: object(
      {
        id: ownId(tokenIds),
        revoked: flag('Always true.'),
      },
      { title: 'RevokedToken' },
    ),
    body: object({ reason: reasonText }),
    example: { reason: 'It was found in a public repository' },
    write: async (tx, call) => {
      const row = await selectAnyToken(tx, call.id)
      await revokeToken(tx, call.id)
      const decider = await deciderOf(tx, call, call.body.reason)
      if (row && !row.revokedAt)
        for (const spaceId of row.spaceIds ?? (await spacesOf(tx, row.userId)))
          await writeAuditEntry(tx, { spaceId, environment: row.environment }, decider, {
            action: 'token.revoke',
            objectType: 'token',
            objectId: call.id,
            details: { name: row.name },
          })
      return { id: showId(tokenIds, call.id), revoked: true }
    },
  }),
]

const spacesOf = async (db: Parameters<typeof selectMemberships>[0], userId: string) =>
  (await selectMemberships(db, userId)).map(({ spaceId }) => spaceId)

const shown = (time: Date | null) => time?.toISOString() ?? null

function present(row: Token) {
  return {
    id: showId(tokenIds, row.id),
    userId: showId(userIds, row.userId),
    environment: row.environment,
    name: row.name,
    status: statusOf(row),
    scopes: row.scopes,
    spaceIds: row.spaceIds?.map((id) => showId(spaceIds, id)) ?? null,
    networks: row.networks,
    createTime: row.createdAt.toISOString(),
    expireTime: shown(row.expiresAt),
    revokeTime: shown(row.revokedAt),
    lastUseTime: shown(row.lastUsedAt),
  }
}
