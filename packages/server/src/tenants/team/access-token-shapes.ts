import Type from 'typebox'
import { parseDuration } from '../../platform/duration.ts'
import {
  createTime,
  duration,
  flag,
  idOf,
  nameText,
  nullableTime,
  object,
  optional,
  ownId,
  shownText,
  textOrNull,
  withDescription,
  withMeanings,
} from '../../platform/http/shapes/shapes.ts'
import { showId } from '../../platform/ids.ts'
import { installationPermissions, scopes } from '../spaces/permissions.ts'
import { tokenIds, userIds } from '../spaces/resources.ts'
import { isForOneSpace, isWorking, maxLife, type ShownToken } from './access-tokens.ts'
import { type TokenStatus, tokenStatuses } from './token-store.ts'

const maxNetworks = 20 // limit: networks of an access token
export const standardOverlap = '1d' // limit: default time for which a rolled access token keeps working
const minLifeMs = 3_600_000

const lifeText = Type.Refine(
  Type.String({
    maxLength: 32,
    default: '90d',
    examples: ['30d', 'never'],
    description: `Lifetime: a duration such as 30d or 12h, from 1h to ${maxLife}, or \`never\` for a token that does not expire.`,
  }),
  (value) => value === 'never' || isLife(parseDuration(value)),
  () => `must be a duration such as 30d or 12h, from 1h to ${maxLife}, or never`,
)
const isLife = (ms: number | undefined) =>
  ms !== undefined && ms >= minLifeMs && ms <= (parseDuration(maxLife) ?? 0)

/**
 * Returns the schema of scopes. It is built together with the routes, when every slice has registered its
 * permissions. Scopes for the installation can only be granted by a command.
 */
const scopeNames = () => {
  const ofInstallation = new Set(installationPermissions.map(({ name }) => name))
  return Type.Enum(scopes().filter((name) => !ofInstallation.has(name)))
}

export const newAccessToken = () =>
  object(
    {
      name: withDescription(nameText(1, 100, { examples: ['Website'] }), 'Name of the token.'),
      scopes: Type.Array(scopeNames(), {
        minItems: 1,
        maxItems: 100, // limit: scopes of an access token
        description:
          'Scopes of the token, which must be within your own permissions. `*` grants everything that your role allows.',
        examples: [['checkout-sessions:write', 'payments:read']],
      }),
      networks: optional(
        Type.Array(Type.String({ maxLength: 64, examples: ['192.0.2.0/24'] }), {
          minItems: 1,
          maxItems: maxNetworks,
          description: 'Networks where the token can be used. By default, those of your own token.',
        }),
      ),
      duration: optional(lifeText),
    },
    { title: 'NewAccessToken' },
  )

/** Body of a request to roll a token. The old token keeps working for a while, so that clients can switch over. */
export const roll = object({
  overlap: withDescription(
    optional(duration('0s', '7d', standardOverlap)),
    'How long the old token keeps working.',
  ),
})

export const accessToken = object(
  {
    id: ownId(tokenIds),
    name: shownText('Name of the token.'),
    environment: withMeanings(Type.Enum(['test', 'live']), 'Environment of the token.', {
      test: 'no real money moves',
      live: 'real money moves',
    }),
    status: withMeanings(Type.Enum(tokenStatuses), 'Status of the token.', {
      active: 'it can be used',
      expired: 'it has expired',
      revoked: 'it was revoked',
    }),
    user: object(
      {
        id: withDescription(idOf(userIds), 'User id.'),
        email: withDescription(Type.String(), 'Email address of the user.', 'ama@shop.example'),
      },
      { description: 'Owner of the token.' },
    ),
    scopes: withDescription(
      Type.Array(Type.String()),
      'Scopes of the token. It never has more permissions than its owner.',
      ['checkout-sessions:write', 'payments:read'],
    ),
    isOfThisSpaceOnly: flag(
      'False for tokens that were created by a command and are also valid in other Spaces.',
    ),
    networks: Type.Unsafe<string[] | null>({
      type: ['array', 'null'],
      items: { type: 'string' },
      description: 'Networks where the token can be used; null for all.',
    }),
    lastCharacters: textOrNull('Last characters of the token, which help to identify it.', '3Kx9'),
    token: optional(shownText('The access token itself. Shown only when it is created.')),
    createTime,
    lastUseTime: withDescription(
      nullableTime,
      'Time of the last request, accurate to about a minute; null if the token has never been used.',
    ),
    expireTime: withDescription(nullableTime, 'Time at which the token expires; null if it never expires.'),
    revokeTime: withDescription(
      nullableTime,
      'Time at which the token was revoked; null if it has not been revoked.',
    ),
    replacedById: textOrNull(
      'Id of the token that replaced this one when it was rolled; null if it has not been rolled.',
      'tok-01kaj3v5w8e4r9tbn2m6c7d0xz',
    ),
  },
  { title: 'AccessToken' },
)

const showTime = (at: Date | null) => at?.toISOString() ?? null

export const presentToken = (token: ShownToken) => ({
  id: showId(tokenIds, token.id),
  name: token.name,
  environment: token.environment,
  status: statusOf(token),
  user: { id: showId(userIds, token.userId), email: token.email },
  scopes: token.scopes,
  isOfThisSpaceOnly: isForOneSpace(token),
  networks: token.networks,
  lastCharacters: token.lastCharacters,
  ...(token.text !== undefined && { token: token.text }),
  createTime: token.createdAt.toISOString(),
  lastUseTime: showTime(token.lastUsedAt),
  expireTime: showTime(token.expiresAt),
  revokeTime: showTime(token.revokedAt),
  replacedById: token.replacedBy && showId(tokenIds, token.replacedBy),
})

export const statusOf = (token: Pick<ShownToken, 'revokedAt' | 'expiresAt'>): TokenStatus =>
  token.revokedAt ? 'revoked' : isWorking(token, new Date()) ? 'active' : 'expired'
