import Type from 'typebox'
import { durationMs } from '../../platform/duration.ts'
import { homeCommand, list, type Route, read } from '../../platform/http/commands/route.ts'
import { object, optionalEnum } from '../../platform/http/shapes/shapes.ts'
import type { Platform } from '../../platform/platform.ts'
import { tokenIds } from '../spaces/resources.ts'
import { accessToken, newAccessToken, presentToken, roll, standardOverlap } from './access-token-shapes.ts'
import {
  findAccessToken,
  issueToken,
  revokeVisibleToken,
  rollToken,
  validateTokenRequest,
  visibleOwnerId,
} from './access-tokens.ts'
import { selectMemberTokens, tokenStatuses } from './token-store.ts'

const url = '/v1/access-tokens'
const one = { url: `${url}/:id`, idKind: tokenIds }
const reading = { permission: 'access-tokens:read', result: accessToken }
const writing = { permission: 'access-tokens:write', result: accessToken }
/**
 * Options of routes whose response includes the token's text. The text is shown only once. Only the same caller
 * can get it again, by repeating the request.
 */
const showing = {
  ...{ needsStepUp: true, isSecret: true, isForCallerOnly: true },
  shows: { token: 'psw_test_4Zq8…3Kx9' },
}

export const accessTokenRoutes = ({ home }: Pick<Platform, 'home'>): Route[] => [
  homeCommand({
    ...writing,
    ...showing,
    url,
    summary: 'Create an access token',
    about: 'It is valid in this Space only.',
    reasons: ['state_conflict'],
    body: newAccessToken(),
    example: { name: 'Website', scopes: ['checkout-sessions:write', 'payments:read'], duration: '30d' },
    rules: [
      { about: ['scopes'], says: 'Scopes must not exceed the caller’s permissions in this Space.' },
      {
        about: ['networks'],
        says: '`networks` must be in CIDR notation, such as 192.0.2.0/24, and within the networks of the caller’s token.',
      },
    ],
    validate: (db, call, issues) => {
      const { scopes, networks } = call.body
      const named = (texts: (string | undefined)[] = []) => texts.filter((text) => text !== undefined)
      return validateTokenRequest(db, call, { scopes: named(scopes), networks: named(networks) }, issues)
    },
    write: async (tx, call) => presentToken(await issueToken(tx, call, call.body)),
  }),
  list({
    ...reading,
    url,
    summary: 'List access tokens',
    about: 'Your own, or those of all members if you are an owner or admin.',
    query: object({
      status: optionalEnum(tokenStatuses, 'Only tokens with this status.'),
    }),
    list: async (call, page) => {
      const only = { ownerId: await visibleOwnerId(home, call), status: call.query.status }
      return selectMemberTokens(home, call.scope, only, page)
    },
    position: ({ id }) => id,
    present: presentToken,
  }),
  read({
    ...reading,
    ...one,
    summary: 'Retrieve an access token',
    read: async (call) => {
      const token = await findAccessToken(home, call, call.id)
      return token && presentToken(token)
    },
  }),
  {
    ...writing,
    ...one,
    kind: 'change',
    isHome: true,
    method: 'DELETE',
    summary: 'Revoke an access token',
    about: 'Takes effect within a second.',
    result: Type.Null(),
    write: async (tx, call) => {
      await revokeVisibleToken(tx, call, call.id)
      return null
    },
  },
  homeCommand({
    ...writing,
    ...showing,
    ...one,
    url: `${one.url}/roll`,
    summary: 'Roll an access token',
    about: 'Replaces one of your tokens. The old one keeps working for a while.',
    reasons: ['state_conflict'],
    body: roll,
    example: { overlap: '1d' },
    write: async (tx, call) =>
      presentToken(await rollToken(tx, call, call.id, durationMs(call.body.overlap ?? standardOverlap))),
  }),
]
