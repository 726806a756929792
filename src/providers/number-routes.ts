import Type from 'typebox'
import { countryOfPhone, parsePhone } from '../countries/phones.ts'
import { type Route, read } from '../platform/http/route.ts'
import { described, nullableText, object, pathName } from '../platform/http/shapes.ts'
import { argumentRefusal } from '../platform/refusals.ts'
import type { Environment } from '../platform/scope.ts'
import type { Numbers } from './numbers.ts'
import type { Providers } from './providers.ts'

const phoneNumber = object(
  {
    phoneNumber: described(Type.String({ examples: ['+23277123456'] }), 'The number in E.164.'),
    country: described(
      nullableText,
      'Whose number it is: two letters of ISO 3166-1; null where that is not known.',
      'SL',
    ),
    network: Type.Unsafe<string | null>({
      ...nullableText,
      description: 'The network that gave the number out; null where we do not know.',
      examples: ['Africell'],
    }),
    certain: Type.Boolean({
      description:
        'Whether numbers cannot leave their network there. A payout to a provider of another network is then refused.',
    }),
    providers: Type.Array(
      object({
        providerId: described(Type.String({ examples: ['m18'] }), 'Its id, as payouts take it.'),
        name: described(Type.String({ examples: ['Afrimoney'] }), 'What people know it by.'),
      }),
      {
        description:
          'The mobile-money providers whose account it probably is, of those that can be used in the environment of the token.',
      },
    ),
  },
  { title: 'PhoneNumber' },
)

/** `/v1/phone-numbers/{phoneNumber}`: which provider to send money to. */
export const numberRoutes = ({ connectors, numbers }: Providers & { numbers: Numbers }): Route[] => [
  read({
    url: '/v1/phone-numbers/:phoneNumber',
    params: { phoneNumber: pathName('The number in E.164; `+` may be left out.', '+23276123456') },
    summary: 'Find the mobile-money provider of a phone number',
    permission: null,
    result: phoneNumber,
    async read({ params, scope: { environment } }) {
      const number = readNumber(params.phoneNumber ?? '', environment)
      const { network, providers } = await numbers.describe(environment, number)
      return {
        phoneNumber: number,
        country: countryOfPhone(number) ?? null,
        network: network?.name ?? null,
        certain: network?.isCertain ?? false,
        providers: providers
          .filter(({ providerId }) => connectors.isActive(providerId, environment))
          .map(({ providerId, name }) => ({ providerId, name })),
      }
    },
  }),
]

/** E.164, with or without its plus: no country is named that a national number could belong to. */
function readNumber(typed: string, environment: Environment): string {
  const number = parsePhone(`+${typed.trim().replace(/^\+/, '')}`, '', environment)
  if (number) return number
  throw argumentRefusal('phoneNumber', 'is not a phone number in E.164, like +23276123456')
}
