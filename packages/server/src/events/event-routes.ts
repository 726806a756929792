import { type Fields, fieldsOf, must } from '@pesewa/values'
import Type from 'typebox'
import { batchKeyOf, createBatches } from '../platform/batches.ts'
import { resourceInside } from '../platform/http/admission/personal.ts'
import { currentVersion } from '../platform/http/admission/version.ts'
import { list, type Route, read, stream } from '../platform/http/commands/route.ts'
import {
  freeObject,
  group,
  idOf,
  object,
  optional,
  optionalText,
  ownId,
  searchQuery,
  shownText,
  timestamp,
  withDescription,
  withMeanings,
} from '../platform/http/shapes/shapes.ts'
import { Issues } from '../platform/refusals.ts'
import { allResources, readObjectId } from '../platform/resources.ts'
import type { Scope } from '../platform/scope.ts'
import { spaceIds } from '../tenants/spaces/resources.ts'
import { type EventEnvelope, type EventParts, envelopesOf, presentEvent } from './event-envelope.ts'
import { type EventObject, type EventRow, hasEvents, selectEvents, shareEvents } from './event-store.ts'
import { eventIds } from './resources.ts'
import { startPosition, streamChanges, streamEvents } from './stream.ts'
import { eventTypes } from './types.ts'

/** Returns the type of the resource that an event is about. */
const typeOfObject = (event: Fields) => String(fieldsOf(event.object).type)

/**
 * Returns the shape of an event. It must be called after every slice has registered its event types, so it is a
 * function.
 */
const shapeOfEvent = () =>
  object(
    {
      id: ownId(eventIds),
      type: withDescription(
        Type.Enum(eventTypes()),
        'Event type: a resource and what happened to it.',
        'payment.completed',
      ),
      apiVersion: shownText('API version of `data`.', currentVersion),
      environment: withMeanings(Type.Enum(['test', 'live']), 'Environment of the event.', {
        test: 'no real money moves',
        live: 'real money moves',
      }),
      spaceId: withDescription(idOf(spaceIds), 'Space of the event.'),
      timestamp: withDescription(timestamp, 'Time of the event, by the Space’s clock.'),
      sequence: Type.Integer({
        description: 'Sequence number in commit order, increasing by one.',
        examples: [42],
      }),
      object: group('Object that the event is about.', {
        id: withDescription(Type.String(), 'Id of the object.', 'pay-01kaj3v5w8e4r9tbn2m6c7d0xz'),
        type: shownText('Type of the object.', 'payment'),
      }),
      callbackState: optional(
        shownText(
          'Callback state set when the checkout session was created; only in events about that session.',
        ),
      ),
      data: withDescription(
        resourceInside(freeObject, typeOfObject),
        'Object exactly as GET returned it when the event happened.',
        {
          id: 'pay-01kaj3v5w8e4r9tbn2m6c7d0xz',
          status: 'completed',
          amount: { currency: 'SLE', value: 1500 },
        },
      ),
    },
    {
      title: 'Event',
      description: '`data` is the resource exactly as GET returned it when the event happened.',
    },
  )

/** Returns the shape of a change. Like `shapeOfEvent`, it must be called after all slices have registered. */
const change = () =>
  object(
    {
      type: withDescription(
        Type.Enum(allResources().flatMap(({ type, eventTypes }) => (eventTypes ? [type] : []))),
        'Type of the objects, at least one of which has changed.',
        'payment',
      ),
    },
    { title: 'Change' },
  )

export function eventRoutes(parts: EventParts): Route[] {
  const { db, findLines } = parts
  const event = shapeOfEvent()
  const find = shareEvents(db)
  // Loads the lines of postings. Requests from the same Space share a batch.
  const envelopes = createBatches<{ scope: Scope; row: EventRow }, EventEnvelope>({
    run: async (all) => {
      const rows = all.map(({ row }) => row)
      return (await envelopesOf(db, findLines, must(all[0], 'event in a batch').scope, rows)).map(
        (answer) => ({ answer }),
      )
    },
  })
  return [
    list({
      url: '/v1/events',
      summary: 'List events',
      permission: 'events:read',
      query: object({
        type: withDescription(
          optional(Type.Enum(eventTypes())),
          'Only events of this type.',
          'payment.completed',
        ),
        objectId: optionalText(
          100,
          'Only events about the object with this id.',
          'pay-01kaj3v5w8e4r9tbn2m6c7d0xz',
        ),
        since: optional(
          Type.String({
            format: 'date-time',
            maxLength: 40,
            description: 'Only events at or after this time.',
            examples: ['2026-11-21T08:00:00Z'],
          }),
        ),
        q: searchQuery,
      }),
      result: event,
      list: async ({ scope, query: { q, type, objectId, since } }, page) => {
        const filter = {
          q,
          ...(type !== undefined && { type }),
          ...(objectId !== undefined && { object: await toldObject(parts, scope, objectId) }),
          ...(since !== undefined && { since: new Date(since) }),
        }
        const { rows, stoppedAt } = await selectEvents(db, scope, filter, page)
        return { rows: await envelopesOf(db, findLines, scope, rows), stoppedAt }
      },
      position: ({ position }) => String(position),
      present: presentEvent,
    }),
    stream({
      url: '/v1/events/stream',
      summary: 'Stream events as they happen',
      permission: 'events:read',
      result: event,
      open: async ({ scope }, lastEventId) => {
        const position = await startPosition(db, find, scope, lastEventId)
        return (signal) => streamEvents(parts, scope, position, signal)
      },
    }),
    stream({
      url: '/v1/changes/stream',
      summary: 'Stream changes',
      about: 'Streams the types of the objects that change, if the caller may read them.',
      permission: 'payments:read',
      result: change(),
      open: async ({ scope }, lastEventId) => {
        const position = await startPosition(db, find, scope, lastEventId)
        return (signal) => streamChanges(db, scope, position, signal)
      },
    }),
    read({
      url: '/v1/events/:id',
      summary: 'Retrieve an event',
      permission: 'events:read',
      idKind: eventIds,
      result: event,
      read: async ({ scope, id }) => {
        const row = await find(scope, id)
        if (!row) return undefined
        return presentEvent(await envelopes.submit(batchKeyOf(scope), { scope, row }))
      },
    }),
  ]
}

/**
 * Returns the object that a filter specifies. Refuses the request if the object has no events. Every object that
 * can have events has at least one, for its creation.
 */
async function toldObject({ db }: EventParts, scope: Scope, text: string): Promise<EventObject> {
  const object = readObjectId(text)
  if (object && (await hasEvents(db, scope, object))) return object
  const issues = new Issues()
  issues.add('objectId', 'does not name an object with events in this Space')
  throw issues.refusal()
}
