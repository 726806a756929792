import { codeOf } from '@pesewa/values'
import { baseUrlOf } from '../../platform/platform.ts'
import type { Environment } from '../../platform/scope.ts'
import { fetchStatement } from '../../rails/connections/rail-statements.ts'
import { connectionCallbackUrl } from '../../rails/instructions/callback-url.ts'
import type { Providers } from '../../rails/providers/providers.ts'
import { readSettings } from '../../slices.ts'
import { CommandError } from '../command.ts'
import { withRails } from './connection-test.ts'

export type FetchOptions = {
  provider: string
  environment: Environment
  connection?: string
  currency?: string
  from: Date
  until: Date
  file: string
}

/** Requests a statement from a provider's rail and writes it to a file for `pesewa reconcile import`. */
export const fetchToFile = (options: FetchOptions) =>
  withRails(async (providers) => {
    const { provider, environment, from, until, file } = options
    const { connector, connection, currency } = chooseRail(providers, options)
    const settings = readSettings(process.env)
    const callbackUrl = connectionCallbackUrl(baseUrlOf(settings), environment, connection)
    const wish = { currency, from, until, callbackUrl, file }
    const fetched = await fetchStatement(connector, wish).catch((error) => {
      throw codeOf(error) === '' ? error : new CommandError(`Cannot write ${file}: ${codeOf(error)}.`)
    })
    if (fetched.outcome !== 'written') throw new CommandError(`No statement is available: ${fetched.why}.`)
    return { provider, environment, currency, file, bytes: fetched.bytes }
  })

/** Chooses the provider, connection and currency of the statement. */
function chooseRail({ catalogue, connectors }: Providers, options: FetchOptions) {
  const { provider: providerId, environment, connection: name, currency } = options
  const provider = catalogue.find(providerId)
  if (!provider) throw new CommandError(`There is no provider ${providerId} in the catalogue.`)
  const road = connectors
    .findRoutes(providerId, environment)
    .find(({ connection }) => name === undefined || connection === name)
  if (!road)
    throw new CommandError(
      `In the ${environment} environment, ${providerId} cannot be reached through ${name ?? 'any connection'}.`,
    )
  const { connector, connection } = road
  if (!connector.statements && !connector.listStatement)
    throw new CommandError(`The rail of ${providerId} does not offer statements.`)
  const [first = ''] = provider.currencies
  if (currency !== undefined && !provider.currencies.includes(currency))
    throw new CommandError(
      `${providerId} does not support ${currency}. It supports ${provider.currencies.join(', ')}.`,
    )
  return { connector, connection, currency: currency ?? first }
}
