import {
  type Holder,
  holderOf,
  pathParams,
  type RailRoute,
  type SimulatorParts,
} from '@pesewa/connector-kit/simulator'
import { toMajorUnits } from '@pesewa/values'
import type { FastifyRequest } from 'fastify'
import { simulatorMerchant } from '../test-credentials.ts'
import { tokenRoute, walletRoutesFor } from './access.ts'
import { formatError, notFound } from './error.ts'

/** Routes for tokens, accounts and the wallet's service status. */
export function accountRoutes(parts: SimulatorParts): RailRoute[] {
  const route = walletRoutesFor(parts)
  const account = '/accounts/msisdn/:msisdn'
  return [
    tokenRoute(parts),
    route('GET', '/heartbeat', 'get the service status', () => ({ serviceStatus: 'available' })),
    route('GET', `${account}/accountname`, 'look up an account holder', (_, request) => {
      const { givenName: firstName, familyName: lastName } = holderIn(request)
      return { name: { firstName, lastName, fullName: `${firstName} ${lastName}` } }
    }),
    route('GET', `${account}/status`, 'get the status of an account', (_, request) => ({
      accountStatus: holderIn(request).isActive ? 'available' : 'unavailable',
    })),
    route(
      'GET',
      `/accounts/${simulatorMerchant.key}/:id/balance`,
      'get our account balance',
      ({ currencies: [currency = ''] }, request) => {
        if (pathParams(request).id !== simulatorMerchant.value) throw notFound()
        return { availableBalance: toMajorUnits(accountBalance, currency), currency }
      },
    ),
  ]
}

/** The balance always stays the same, whatever is paid out. */
const accountBalance = 100_000_000n // our balance with a simulated wallet, in minor units

function holderIn(request: FastifyRequest): Holder {
  const { msisdn = '' } = pathParams(request)
  if (!/^\+[1-9][0-9]{5,14}$/.test(msisdn)) throw formatError()
  const holder = holderOf(msisdn.slice(1))
  if (!holder) throw notFound()
  return holder
}
