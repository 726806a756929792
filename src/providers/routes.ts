import Type from 'typebox'
import { findCountry } from '../countries/countries.ts'
import { list, type Route, read } from '../platform/http/route.ts'
import {
  createTime,
  described,
  freeObject,
  object,
  optional,
  pathName,
  text,
  updateTime,
} from '../platform/http/shapes.ts'
import { Refusal } from '../platform/refusals.ts'
import type { Catalogue } from './catalogue.ts'
import type { Connectors } from './connectors.ts'
import type { Provider } from './provider.ts'

const provider = object(
  {
    providerId: described(
      Type.String({ examples: ['m17'] }),
      'Its id, as payouts and payment options take it.',
    ),
    name: described(Type.String({ examples: ['Orange Money'] }), 'What people know it by.'),
    country: described(
      Type.String({ examples: ['SL'] }),
      'Where its accounts are: two letters of ISO 3166-1.',
    ),
    status: described(
      object({
        active: Type.Boolean({ description: 'Whether it can be used in the environment of the token.' }),
      }),
      'What it can do now.',
    ),
    featureSet: described(
      object({
        payout: described(
          object({
            canPayTo: described(Type.Boolean(), 'Whether its accounts can be paid out to.'),
            schemes: described(Type.Array(Type.String()), 'The payment schemes that it takes part in.', []),
            metadata: described(freeObject, 'Whatever else is known of it; usually empty.'),
          }),
          'Money to its accounts.',
        ),
        payment: described(
          object({
            canPayFrom: described(Type.Boolean(), 'Whether payers can pay with it.'),
            schemes: described(Type.Array(Type.String()), 'The payment schemes that it takes part in.', []),
            metadata: described(freeObject, 'Whatever else is known of it; usually empty.'),
          }),
          'Money from its accounts.',
        ),
        kycVerification: described(
          object({
            canVerifyAccount: described(Type.Boolean(), 'Whether `GET /v1/provider-kyc/{providerId}` works.'),
            metadata: described(freeObject, 'Whatever else is known of it; usually empty.'),
          }),
          'Looking up whose account it is.',
        ),
      }),
      'What it can do at all, in this installation.',
    ),
    createTime,
    updateTime,
  },
  { title: 'Provider' },
)

/** Of each kind, one that there is. */
const examples = { momo: 'm17', bank: 'slb001', wallet: 'dw001' } as const
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
      params: { providerId: pathName('Which one, by its id in the list.', examples[type]) },
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
