import { providerTypes } from '@pesewa/connector-kit'
import Type from 'typebox'
import { personal } from '../../platform/http/admission/personal.ts'
import {
  flag,
  freeObject,
  group,
  nullableText,
  object,
  shownText,
  textOrNull,
  withDescription,
  withMeanings,
} from '../../platform/http/shapes/shapes.ts'

export const maxAccountLength = 64 // maximum length of an account that can be looked up

export const fullNames = 'provider-kyc:read'
const holderName = personal(Type.String({ examples: ['Aminata Kamara'] }), 'name', fullNames)

export const result = object(
  {
    account: group('The account that was looked up.', {
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
    provider: group('The provider that holds the account.', {
      id: shownText('Provider ID.', 'm17'),
      type: withMeanings(Type.Enum(providerTypes), 'Type of account.', {
        momo: 'mobile money accounts',
        bank: 'bank accounts',
        wallet: 'wallets',
        card: 'cards',
      }),
      name: shownText('Brand name of the provider.', 'Orange Money'),
    }),
  },
  { title: 'ProviderKyc' },
)

export const phoneNumber = object(
  {
    phoneNumber: shownText('Phone number in E.164 format.', '+23277123456'),
    country: textOrNull('The number’s country, as an ISO 3166-1 alpha-2 code; null if unknown.', 'SL'),
    network: Type.Unsafe<string | null>({
      ...nullableText,
      description: 'Network to which the number was assigned; null if unknown.',
      examples: ['Africell'],
    }),
    certain: flag(
      'Whether the network is certain, because the country has no number portability. If true, payouts to a provider on another network are refused.',
    ),
    providers: Type.Array(
      object({
        providerId: shownText('Provider ID, as used in payouts.', 'm18'),
        name: shownText('Brand name of the provider.', 'Afrimoney'),
      }),
      {
        description:
          'Mobile money providers that probably hold the account, limited to those available in the token’s environment.',
      },
    ),
  },
  { title: 'PhoneNumber' },
)
