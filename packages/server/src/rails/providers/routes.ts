import type { Provider } from '@pesewa/connector-kit'
import { findCountry } from '@pesewa/values'
import Type from 'typebox'
import { list, type Route, read } from '../../platform/http/commands/route.ts'
import {
  createTime,
  flag,
  freeObject,
  group,
  object,
  optional,
  pathName,
  shownText,
  text,
  updateTime,
  withDescription,
} from '../../platform/http/shapes/shapes.ts'
import { Refusal } from '../../platform/refusals.ts'
import type { Catalogue } from '../connections/catalogue.ts'
import type { Connectors } from '../connections/connectors.ts'

const provider = object(
  {
    providerId: shownText('Provider ID, as used in payouts and payment options.', 'm17'),
    name: shownText('Brand name of the provider.', 'Orange Money'),
    country: shownText('Country of the provider’s accounts, as an ISO 3166-1 alpha-2 code.', 'SL'),
    status: group('Current availability.', {
      active: flag('Whether the provider is available in the token’s environment.'),
    }),
    featureSet: group('Features that the provider supports in this installation.', {
      payout: group('Payouts to the provider’s accounts.', {
        canPayTo: flag('Whether payouts to the provider’s accounts are supported.'),
        schemes: withDescription(
          Type.Array(Type.String()),
          'Payment schemes in which the provider participates.',
          [],
        ),
        metadata: withDescription(freeObject, 'Additional information; usually empty.'),
      }),
      payment: group('Payments from the provider’s accounts.', {
        canPayFrom: flag('Whether payments from the provider’s accounts are supported.'),
        schemes: withDescription(
          Type.Array(Type.String()),
          'Payment schemes in which the provider participates.',
          [],
        ),
        metadata: withDescription(freeObject, 'Additional information; usually empty.'),
      }),
      kycVerification: group('Account holder look-up.', {
        canVerifyAccount: flag('Whether `GET /v1/provider-kyc/{providerId}` is supported.'),
        metadata: withDescription(freeObject, 'Additional information; usually empty.'),
      }),
    }),
    createTime,
    updateTime,
  },
  { title: 'Provider' },
)

/**
 * Provider ids for the examples in the API description. The catalogue contains a provider with each of these
 * ids.
 */
const examples = { momo: 'm17', bank: 'slb001', wallet: 'dw001' } as const
const plurals = { momo: 'momos', bank: 'banks', wallet: 'wallets' } as const
/**
 * Card providers are not listed, because the operator chooses the acquirer, and payers have no accounts with
 * it.
 */
const listedTypes = ['momo', 'bank', 'wallet'] as const
const nouns = { momo: 'mobile money provider', bank: 'bank', wallet: 'wallet' } as const

/** `/v1/banks`, `/v1/momos` and `/v1/wallets`, each of which lists the providers of one type. */
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
      summary: `List ${nouns[type]}s`,
      permission: null,
      query: object({
        country: optional(
          withDescription(text(2, 2), 'Filter by country, as an ISO 3166-1 alpha-2 code.', 'SL'),
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
      params: { providerId: pathName('ID from the list of providers.', examples[type]) },
      summary: `Retrieve a ${nouns[type]}`,
      permission: null,
      result: provider,
      read: async ({ params, scope }) => {
        const entry = catalogue.find(params.providerId ?? '')
        if (entry?.type !== type)
          throw new Refusal('not_found', { message: `There is no such ${nouns[type]}.` })
        return connectors.describe(entry, scope.environment)
      },
    }),
  ])
