import { countryOfPhone, parsePhone } from '@pesewa/values/phones'
import { type Route, read } from '../../platform/http/commands/route.ts'
import { pathName } from '../../platform/http/shapes/shapes.ts'
import { argumentRefusal } from '../../platform/refusals.ts'
import type { Environment } from '../../platform/scope.ts'
import type { Numbers } from './numbers.ts'
import type { Providers } from './providers.ts'
import { phoneNumber } from './shapes.ts'

/** `/v1/phone-numbers/{phoneNumber}`: finds the provider to which payouts to a phone number should be sent. */
export const numberRoutes = ({ connectors, numbers }: Providers & { numbers: Numbers }): Route[] => [
  read({
    url: '/v1/phone-numbers/:phoneNumber',
    params: { phoneNumber: pathName('Phone number in E.164 format; the `+` is optional.', '+23276123456') },
    summary: 'Retrieve the provider of a phone number',
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

/**
 * Parses a phone number in E.164 format, with or without the plus sign. National numbers cannot be parsed,
 * because their country is not known.
 */
function readNumber(typed: string, environment: Environment): string {
  const number = parsePhone(`+${typed.trim().replace(/^\+/, '')}`, '', environment)
  if (number) return number
  throw argumentRefusal('phoneNumber', 'must be a phone number in E.164 format, such as +23276123456')
}
