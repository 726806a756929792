import { providerTypes } from '@pesewa/connector-kit'
import Type from 'typebox'
import { personal } from '../../platform/http/admission/personal.ts'
import {
  freeObject,
  nullableText,
  object,
  withDescription,
  withMeanings,
} from '../../platform/http/shapes/shapes.ts'

export const maxAccountLength = 64 // maximum length of an account that can be looked up

export const fullNames = 'provider-kyc:read'
const holderName = personal(Type.String({ examples: ['Aminata Kamara'] }), 'name', fullNames)

export const result = object(
  {
    account: withDescription(
      object({
        id: Type.String({
          description: 'The account in the format used for payouts; phone numbers are in E.164 format.',
          examples: ['+23276123456'],
        }),
        name: withDescription(
          holderName,
          'Name of the account holder; masked for tokens without `provider-kyc:read`.',
        ),
        holderName: withDescription(holderName, 'Same as `name`.'),
        metadata: withDescription(
          freeObject,
          '`active`: whether the account can receive payouts; null if the provider does not report it.',
        ),
      }),
      'The account that was looked up.',
    ),
    provider: withDescription(
      object({
        id: withDescription(Type.String({ examples: ['m17'] }), 'Provider ID.'),
        type: withMeanings(Type.Enum(providerTypes), 'Type of account.', {
          momo: 'mobile money accounts',
          bank: 'bank accounts',
          wallet: 'wallets',
          card: 'cards',
        }),
        name: withDescription(Type.String({ examples: ['Orange Money'] }), 'Brand name of the provider.'),
      }),
      'The provider that holds the account.',
    ),
  },
  { title: 'ProviderKyc' },
)

export const phoneNumber = object(
  {
    phoneNumber: withDescription(
      Type.String({ examples: ['+23277123456'] }),
      'Phone number in E.164 format.',
    ),
    country: withDescription(
      nullableText,
      'The number’s country, as an ISO 3166-1 alpha-2 code; null if unknown.',
      'SL',
    ),
    network: Type.Unsafe<string | null>({
      ...nullableText,
      description: 'Network to which the number was assigned; null if unknown.',
      examples: ['Africell'],
    }),
    certain: Type.Boolean({
      description:
        'Whether the network is certain, because the country has no number portability. If true, payouts to a provider on another network are refused.',
    }),
    providers: Type.Array(
      object({
        providerId: withDescription(Type.String({ examples: ['m18'] }), 'Provider ID, as used in payouts.'),
        name: withDescription(Type.String({ examples: ['Afrimoney'] }), 'Brand name of the provider.'),
      }),
      {
        description:
          'Mobile money providers that probably hold the account, limited to those available in the token’s environment.',
      },
    ),
  },
  { title: 'PhoneNumber' },
)
