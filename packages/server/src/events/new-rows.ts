import type { Scoped } from '../platform/db/scoped.ts'
import type { NewRows } from '../platform/http/commands/new-rows.ts'
import { newId } from '../platform/ids.ts'
import { factsChannel, type JsonEvent, type NewEvent, publishing } from './events.ts'

/**
 * Adds the events of new objects to what is written. The results of the calls are the data of these events. An event
 * without an id gets one.
 */
export function withEvents(
  { inserts, ...rows }: Omit<NewRows, 'results' | 'eventIds' | 'wakes'>,
  events: Scoped<NewEvent & Partial<Pick<JsonEvent, 'posting' | 'id'>>>[],
): NewRows {
  const published = events.map(({ data, ...event }) => ({
    ...event,
    id: event.id ?? newId(event.at),
    json: JSON.stringify(data),
  }))
  return {
    ...rows,
    inserts: [...inserts, publishing(published)],
    results: published.map(({ json }) => json),
    eventIds: published.map(({ id }) => id),
    wakes: [factsChannel],
  }
}
