import Type from 'typebox'
import { findCountry } from '../countries/countries.ts'
import { list, type Route, read } from '../platform/http/route.ts'
import { described, freeObject, object, optional, text, timestamp } from '../platform/http/shapes.ts'
import { Refusal } from '../platform/refusals.ts'
import type { Catalogue } from './catalogue.ts'
import type { Connectors } from './connectors.ts'
import type { Provider } from './provider.ts'

const provider = object(
  {
    providerId: Type.String({ examples: ['m17'] }),
    name: Type.String({ examples: ['Orange Money'] }),
    country: Type.String({ examples: ['SL'] }),
    status: object({
      active: Type.Boolean({ description: 'Whether it can be used in the environment of the token.' }),
    }),
    featureSet: object({
      payout: object({ canPayTo: Type.Boolean(), schemes: Type.Array(Type.String()), metadata: freeObject }),
      payment: object({
        canPayFrom: Type.Boolean(),
        schemes: Type.Array(Type.String()),
        metadata: freeObject,
      }),
      kycVerification: object({ canVerifyAccount: Type.Boolean(), metadata: freeObject }),
    }),
    createTime: timestamp,
    updateTime: timestamp,
  },
  { title: 'Provider' },
)

const plurals = { momo: 'momos', bank: 'banks', wallet: 'wallets' } as const
/** Card is no list: whoever takes cards is the operator's affair and nobody's account. */
const listedTypes = ['momo', 'bank', 'wallet'] as const
const nouns = { momo: 'mobile money providers', bank: 'banks', wallet: 'wallets' } as const

/** `/v1/banks`, `/v1/momos`, `/v1/wallets`: the same list, one type each. */
export const providerRoutes = ({
  catalogue,
  connectors,
}: {
  catalogue: Catalogue
  connectors: Connectors
}): Route[] =>
  listedTypes.flatMap((type) => [
    list({
      url: `/v1/${plurals[type]}`,
      summary: `List ${nouns[type]}`,
      permission: null,
      query: object({
        country: optional(
          described(text(2, 2), 'Only those of this country: its two letters of ISO 3166-1.', 'SL'),
        ),
      }),
      result: provider,
      list: async ({ query: { country } }, { take, after = '', from, to }) => {
        if (country !== undefined && !findCountry(country))
          throw new Refusal('arguments_invalid', {
            details: [{ param: 'country', errors: ['is not a supported country'] }],
          })
        return catalogue
          .list(type, country)
          .filter(({ providerId, createTime }) => {
            const created = new Date(createTime)
            return providerId > after && !(from && created < from) && !(to && created >= to)
          })
          .slice(0, take)
      },
      position: ({ providerId }) => providerId,
      present: (row: Provider, { scope }) => connectors.describe(row, scope.environment),
    }),
    read({
      url: `/v1/${plurals[type]}/:providerId`,
      summary: `Retrieve one of the ${nouns[type]}`,
      permission: null,
      result: provider,
      read: async ({ params, scope }) => {
        const entry = catalogue.find(params.providerId ?? '')
        if (entry?.type !== type) throw new Refusal('not_found', { message: `There is no such ${type}.` })
        return connectors.describe(entry, scope.environment)
      },
    }),
  ])
