import { must } from '@pesewa/values'
import { transactionIds } from '../../ledger/accounts/resources.ts'
import { readId, showId } from '../../platform/ids.ts'
import { type Environment, isEnvironment } from '../../platform/scope.ts'

/**
 * The identifier of an open item, which refers to the provider's line or, if only the books have the item, to
 * our line.
 */
export type ItemName = { providerId: string; environment: Environment; lineId: string } | { bookedId: string }

export const itemNameOf = (item: {
  providerId: string
  environment: Environment
  lineId: string | null
  bookedId: string | null
}): ItemName => {
  const { providerId, environment, lineId, bookedId } = item
  return lineId === null
    ? { bookedId: must(bookedId, 'line of an item that only the books have') }
    : { providerId, environment, lineId }
}

/**
 * Formats the identifier of an item: `m17/live/4242` with the provider's line number, or `ftx-…`, the id of our
 * line.
 */
export const showItem = (name: ItemName): string =>
  'bookedId' in name
    ? showId(transactionIds, name.bookedId)
    : `${name.providerId}/${name.environment}/${name.lineId}`

/**
 * Parses an identifier that `showItem` formatted. Returns `undefined` if the text does not identify an item. A
 * line number may contain slashes.
 */
export function readItem(text: string): ItemName | undefined {
  const bookedId = readId(transactionIds, text)
  if (bookedId) return { bookedId }
  const [, providerId, environment, lineId] = /^([^/]{1,100})\/(\w+)\/(.{1,100})$/s.exec(text) ?? []
  return providerId && lineId && isEnvironment(environment) ? { providerId, environment, lineId } : undefined
}
