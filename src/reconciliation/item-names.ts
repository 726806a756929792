import { transactionIds } from '../ledger/resources.ts'
import { readId, showId } from '../platform/ids.ts'
import { must } from '../platform/must.ts'
import { type Environment, isEnvironment } from '../platform/scope.ts'

/** What an open item is called by: the provider's line that it is about, or the line of ours that only the books have. */
export type ItemName = { providerId: string; environment: Environment; lineId: string } | { bookedId: string }

export const itemNameOf = (item: {
  providerId: string
  environment: Environment
  lineId: string | null
  bookedId: string | null
}): ItemName => {
  const { providerId, environment, lineId, bookedId } = item
  return lineId === null
    ? { bookedId: must(bookedId, 'line of an item that only we show') }
    : { providerId, environment, lineId }
}

/** `m17/live/4242`, the number of the provider's line; or `ftx-…`, the line of ours. */
export const showItem = (name: ItemName): string =>
  'bookedId' in name
    ? showId(transactionIds, name.bookedId)
    : `${name.providerId}/${name.environment}/${name.lineId}`

/** The reverse of `showItem`; `undefined` for a text that names no item. The number of a line may have strokes in it. */
export function readItem(text: string): ItemName | undefined {
  const bookedId = readId(transactionIds, text)
  if (bookedId) return { bookedId }
  const [, providerId, environment, lineId] = /^([^/]{1,100})\/(\w+)\/(.{1,100})$/s.exec(text) ?? []
  return providerId && lineId && isEnvironment(environment) ? { providerId, environment, lineId } : undefined
}
