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
import { issueToken, walletOf } from './access.ts'
import { formatError, notFound } from './error.ts'
import { walletRoute } from './routes.ts'

/** Routes for tokens, accounts and the wallet's service status. */
export const accountRoutes = (parts: SimulatorParts): RailRoute[] => [
  {
    ...walletRoute(parts, 'POST', '/oauth/accesstoken', 'issue an access token', () => undefined),
    admit: (request) => walletOf(parts, request),
    handle: async (request) => issueToken(parts, request),
  },
  walletRoute(parts, 'GET', '/heartbeat', 'get the service status', () => ({ serviceStatus: 'available' })),
  walletRoute(
    parts,
    'GET',
    '/accounts/msisdn/:msisdn/accountname',
    'look up an account holder',
    (_, request) => {
      const { givenName: firstName, familyName: lastName } = holderIn(request)
      return { name: { firstName, lastName, fullName: `${firstName} ${lastName}` } }
    },
  ),
  walletRoute(
    parts,
    'GET',
    '/accounts/msisdn/:msisdn/status',
    'get the status of an account',
    (_, request) => ({
      accountStatus: holderIn(request).isActive ? 'available' : 'unavailable',
    }),
  ),
  walletRoute(
    parts,
    'GET',
    `/accounts/${simulatorMerchant.key}/:id/balance`,
    'get our account balance',
    ({ currencies: [currency = ''] }, request) => {
      if (pathParams(request).id !== simulatorMerchant.value) throw notFound()
      return { availableBalance: toMajorUnits(accountBalance, currency), currency }
    },
  ),
]

/** The balance always stays the same, whatever is paid out. */
const accountBalance = 100_000_000n // our balance with a simulated wallet, in minor units

function holderIn(request: FastifyRequest): Holder {
  const { msisdn = '' } = pathParams(request)
  if (!/^\+[1-9][0-9]{5,14}$/.test(msisdn)) throw formatError()
  const holder = holderOf(msisdn.slice(1))
  if (!holder) throw notFound()
  return holder
}
