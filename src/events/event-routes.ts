import Type from 'typebox'
import { createBatches, laneOf } from '../platform/batches.ts'
import { type Fields, fieldsOf } from '../platform/fields.ts'
import { resourceInside } from '../platform/http/personal.ts'
import { list, type Route, read, stream } from '../platform/http/route.ts'
import {
  described,
  explained,
  freeObject,
  idOf,
  nameQuery,
  object,
  optional,
  ownId,
  text,
  timestamp,
} from '../platform/http/shapes.ts'
import { currentVersion } from '../platform/http/version.ts'
import { readAnyId } from '../platform/ids.ts'
import { must } from '../platform/must.ts'
import { Faults } from '../platform/refusals.ts'
import { allResources } from '../platform/resources.ts'
import type { Scope } from '../platform/scope.ts'
import { spaceIds } from '../spaces/resources.ts'
import { type EventEnvelope, type EventParts, envelopesOf, presentEvent } from './event-envelope.ts'
import { type EventRow, hasEvents, selectEvents, shareEvents } from './event-store.ts'
import { eventIds } from './resources.ts'
import { startOf, streamEvents } from './stream.ts'
import { eventTypes } from './types.ts'

/** The type of the resource that an event is about. */
const typeOfObject = (event: Fields) => String(fieldsOf(event.object).type)

/** Made with the routes: by then every slice has said what can happen. */
const shapeOfEvent = () =>
  object(
    {
      id: ownId(eventIds),
      type: described(
        Type.Enum(eventTypes()),
        'What happened: a kind of object, and what was done to it.',
        'payment.completed',
      ),
      apiVersion: described(
        Type.String({ examples: [currentVersion] }),
        'The version that `data` is written in.',
      ),
      environment: explained(Type.Enum(['test', 'live']), 'Where it happened.', {
        test: 'no real money moves',
        live: 'real money moves',
      }),
      spaceId: described(idOf(spaceIds), 'The Space where it happened.'),
      timestamp: described(timestamp, 'When it happened, by the clock of the Space.'),
      sequence: Type.Integer({ description: 'Rises by one in the order of commits.', examples: [42] }),
      object: described(
        object({
          id: described(Type.String(), 'The id of the object.', 'pay-01kaj3v5w8e4r9tbn2m6c7d0xz'),
          type: described(Type.String({ examples: ['payment'] }), 'What kind of object it is.'),
        }),
        'What it happened to.',
      ),
      callbackState: optional(
        Type.String({ description: 'What the checkout session was created with; with its events only.' }),
      ),
      data: described(
        resourceInside(freeObject, typeOfObject),
        'The object exactly as GET showed it at that moment.',
        {
          id: 'pay-01kaj3v5w8e4r9tbn2m6c7d0xz',
          status: 'completed',
          amount: { currency: 'SLE', value: 1500 },
        },
      ),
    },
    { title: 'Event', description: '`data` is the resource exactly as GET showed it at that moment.' },
  )

export function eventRoutes(parts: EventParts): Route[] {
  const { db, findLines } = parts
  const event = shapeOfEvent()
  const find = shareEvents(db)
  // Those of postings look their lines up: of one Space together.
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
        type: described(optional(Type.Enum(eventTypes())), 'Only events of this type.', 'payment.completed'),
        objectId: described(
          optional(text(0, 100)),
          'Only events about this object, by id.',
          'pay-01kaj3v5w8e4r9tbn2m6c7d0xz',
        ),
        since: optional(
          Type.String({
            format: 'date-time',
            maxLength: 40,
            description: 'Of this time or later.',
            examples: ['2026-11-21T08:00:00Z'],
          }),
        ),
        q: nameQuery,
      }),
      result: event,
      list: async ({ scope, query: { q, type, objectId, since } }, page) => {
        const filter = {
          q,
          ...(type !== undefined && { type }),
          ...(objectId !== undefined && { objectId: await toldObject(parts, scope, objectId) }),
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
      summary: 'Follow events as they happen',
      permission: 'events:read',
      result: event,
      open: async ({ scope }, lastEventId) => {
        const position = await startOf(db, find, scope, lastEventId)
        return (signal) => streamEvents(parts, scope, position, signal)
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
        return presentEvent(await envelopes.submit(laneOf(scope), { scope, row }))
      },
    }),
  ]
}

/** An object that events are about has one: it was created. */
async function toldObject({ db }: EventParts, scope: Scope, text: string): Promise<string> {
  const kinds = allResources().flatMap(({ ids, happenings }) => (happenings ? [ids] : []))
  const id = readAnyId(kinds, text)
  if (id && (await hasEvents(db, scope, id))) return id
  const faults = new Faults()
  faults.add('objectId', 'names no object here that events are about')
  throw faults.refusal()
}
