import type { Environment } from '../../platform/scope.ts'
import type { Catalogue } from './catalogue.ts'
import { providersOf } from './connections.ts'

/**
 * Returns the ids of the providers that a connection reaches. In the test environment, each provider has a
 * connection with the provider's id as its name.
 */
export const findReachedProviders = (
  catalogue: Catalogue,
  environment: Environment,
  connection: string,
): string[] =>
  environment === 'test'
    ? catalogue.all().flatMap(({ providerId }) => (providerId === connection ? [connection] : []))
    : catalogue.connections().flatMap((each) => (each.name === connection ? providersOf(each) : []))

/**
 * Returns the reason that a connection and provider cannot be paused, with the name of the invalid parameter,
 * or `undefined` if they can be paused.
 */
export function findPauseIssue(
  catalogue: Catalogue,
  environment: Environment,
  connection: string,
  providerId: string | undefined,
): { param: 'connection' | 'providerId'; says: string } | undefined {
  const reached = findReachedProviders(catalogue, environment, connection)
  if (reached.length === 0)
    return { param: 'connection', says: `There is no connection ${connection} in ${environment}.` }
  if (providerId === undefined || reached.includes(providerId)) return undefined
  return {
    param: 'providerId',
    says: `${connection} does not reach ${providerId}; it reaches ${reached.join(', ')}.`,
  }
}
