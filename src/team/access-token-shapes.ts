import Type from 'typebox'
import { parseDuration } from '../platform/duration.ts'
import {
  createTime,
  described,
  duration,
  explained,
  idOf,
  nameText,
  nullableText,
  object,
  optional,
  ownId,
} from '../platform/http/shapes.ts'
import { showId } from '../platform/ids.ts'
import { installationPermissions, scopes } from '../spaces/permissions.ts'
import { tokenIds, userIds } from '../spaces/resources.ts'
import { isOfOneSpace, isWorking, maxLife, type ShownToken } from './access-tokens.ts'
import { type TokenStatus, tokenStatuses } from './token-store.ts'

const maxNetworks = 20 // limit: networks that an access token names
export const standardOverlap = '1d' // limit: how long an access token works on after it was rolled, unless the call says otherwise
const minLifeMs = 3_600_000

const lifeText = Type.Refine(
  Type.String({
    maxLength: 32,
    default: '90d',
    examples: ['30d', 'never'],
    description: `How long it works: a duration such as 30d or 12h, from 1h to ${maxLife}, or \`never\` for one that does not expire.`,
  }),
  (value) => value === 'never' || isLife(parseDuration(value)),
  () => `must be a duration such as 30d or 12h, from 1h to ${maxLife}, or never`,
)
const isLife = (ms: number | undefined) =>
  ms !== undefined && ms >= minLifeMs && ms <= (parseDuration(maxLife) ?? 0)

/** Made with the routes: by then every slice has said its permissions. Those of the installation need a command. */
const scopeNames = () => {
  const ofInstallation = new Set(installationPermissions.map(({ name }) => name))
  return Type.Enum(scopes().filter((name) => !ofInstallation.has(name)))
}

export const newAccessToken = () =>
  object(
    {
      name: described(nameText(1, 100, { examples: ['Website'] }), 'What its user calls it.'),
      scopes: Type.Array(scopeNames(), {
        minItems: 1,
        maxItems: 100, // limit: scopes that an access token names
        description: '`*` is all that your role has. No more than you may do yourself.',
        examples: [['checkout-sessions:write', 'payments:read']],
      }),
      networks: optional(
        Type.Array(Type.String({ maxLength: 64, examples: ['192.0.2.0/24'] }), {
          minItems: 1,
          maxItems: maxNetworks,
          description: 'Where it may be used from. Left out: from anywhere that your own token may.',
        }),
      ),
      duration: optional(lifeText),
    },
    { title: 'NewAccessToken' },
  )

/** How long the one before goes on working, so that one can change over. */
export const roll = object({
  overlap: described(optional(duration('0s', '7d', standardOverlap)), 'How long the token before works on.'),
})

export const accessToken = object(
  {
    id: ownId(tokenIds),
    name: described(Type.String(), 'What its user calls it.'),
    environment: explained(Type.Enum(['test', 'live']), 'Where it acts.', {
      test: 'no real money moves',
      live: 'real money moves',
    }),
    status: explained(Type.Enum(tokenStatuses), 'Whether it works.', {
      active: 'it does',
      expired: 'its time is over',
      revoked: 'somebody ended it',
    }),
    user: object(
      {
        id: described(idOf(userIds), 'The id of the user.'),
        email: described(Type.String(), 'The address of the user.', 'ama@shop.example'),
      },
      { description: 'Whose it is.' },
    ),
    scopes: described(Type.Array(Type.String()), 'What it allows, within what its user may do.', [
      'checkout-sessions:write',
      'payments:read',
    ]),
    isOfThisSpaceOnly: Type.Boolean({
      description: 'False of those that a command made for other Spaces, too.',
    }),
    networks: Type.Unsafe<string[] | null>({
      type: ['array', 'null'],
      items: { type: 'string' },
      description: 'Where it may be used from; null: anywhere.',
    }),
    lastCharacters: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Of its text, to tell it from others.',
      examples: ['3Kx9'],
    }),
    token: optional(
      Type.String({
        description: 'Its text: shown when it is made, and never again.',
      }),
    ),
    createTime,
    lastUseTime: described(nullableText, 'When it last called, to the minute or so; null: never.'),
    expireTime: described(nullableText, 'When it ends by itself; null: it does not.'),
    revokeTime: described(nullableText, 'When it was revoked; null: it was not.'),
    replacedById: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'The token that took its place when it was rolled.',
      examples: ['tok-01kaj3v5w8e4r9tbn2m6c7d0xz'],
    }),
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
  isOfThisSpaceOnly: isOfOneSpace(token),
  networks: token.networks,
  lastCharacters: token.lastCharacters,
  ...(token.text !== undefined && { token: token.text }),
  createTime: token.createdAt.toISOString(),
  lastUseTime: showTime(token.lastUsedAt),
  expireTime: showTime(token.expiresAt),
  revokeTime: showTime(token.revokedAt),
  replacedById: token.replacedBy && showId(tokenIds, token.replacedBy),
})

const statusOf = (token: ShownToken): TokenStatus =>
  token.revokedAt ? 'revoked' : isWorking(token, new Date()) ? 'active' : 'expired'
