import Type from 'typebox'
import { described, explained, object, timestamp } from '../platform/http/shapes.ts'

const environment = explained(Type.Enum(['test', 'live'] as const), 'The environment.', {
  test: 'no real money moves',
  live: 'real money moves',
})
const nullableTime = Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time' })
const number = (description: string) => Type.Integer({ minimum: 0, description, examples: [3] })
const estimated = Type.Boolean({ description: 'The count ended at its limit: there is at least so much.' })
const counted = { count: number('How many there are, up to a limit.'), estimated }

const node = object({
  id: described(Type.Integer({ examples: [1_284_911] }), 'A number that no other node that runs has.'),
  isThis: Type.Boolean({ description: 'The node that responds.' }),
  version: described(Type.String({ examples: ['0.1.0'] }), 'The version of the program.'),
  serves: Type.Boolean({ description: 'Responds to requests.' }),
  works: Type.Boolean({ description: 'Does everything in the background.' }),
  status: Type.Enum(['alive', 'stopped', 'lost'] as const, {
    description:
      'By the lock that it holds while it runs. `alive`: it runs; `stopped`: it ended in order; `lost`: its process ended without stopping in order.',
  }),
  startTime: described(timestamp, 'When it started.'),
  stopTime: described(nullableTime, 'When it stopped; null while it runs, and where nobody knows.'),
})

const lane = object({
  environment,
  kind: explained(Type.Enum(['collect', 'disburse', 'refund'] as const), 'What waits.', {
    collect: 'payments',
    disburse: 'payouts',
    refund: 'refunds',
  }),
  providerId: described(Type.String({ examples: ['m17'] }), 'The provider that it waits for.'),
  ...counted,
})

const unknownOutcome = object({
  environment,
  type: explained(Type.Enum(['payment', 'payout', 'refund'] as const), 'What it is.', {
    payment: 'payments',
    payout: 'payouts',
    refund: 'refunds',
  }),
  providerId: described(Type.String({ examples: ['m17'] }), 'The provider that has not said.'),
  ...counted,
  oldestSubmitTime: Type.String({
    format: 'date-time',
    description: 'By the clock of its Space.',
    examples: ['2026-11-21T10:00:00.000Z'],
  }),
})

const replica = object({
  name: described(Type.String(), 'What the standby calls itself.', 'standby'),
  state: described(Type.Unsafe<string | null>({ type: ['string', 'null'] }), 'What PostgreSQL says of it.'),
  lagSeconds: described(
    Type.Unsafe<number | null>({ type: ['number', 'null'] }),
    'How far it is behind; null where that is not known.',
  ),
})

const database = object({
  version: described(Type.String({ examples: ['18.0'] }), 'The version of PostgreSQL.'),
  schemaVersion: described(Type.Integer({ examples: [1] }), 'The number of the newest migration.'),
  sizeBytes: described(Type.Integer({ examples: [53_687_091_200] }), 'How much room it takes.'),
  connections: number('Of this database, of all programs.'),
  maxConnections: number('The server’s own limit.'),
  isStandby: described(Type.Boolean(), 'Whether it is a standby, and takes no writes.'),
  replicas: Type.Array(replica, {
    description: 'Those that follow it, as far as the service may see them.',
  }),
})

const proof = object({
  isOk: described(Type.Boolean(), 'Whether everything added up.'),
  startTime: described(timestamp, 'When it began.'),
  endTime: described(timestamp, 'When it ended.'),
  checks: described(
    Type.Array(
      object({
        name: described(Type.String(), 'What must be true.', 'every posting sums to zero'),
        examined: Type.String({ description: 'How many rows, and of what.' }),
        differences: number('Those that it named, at most 20.'),
      }),
    ),
    'What was checked.',
  ),
})

export const health = object(
  {
    nodes: Type.Array(node, { description: 'The newest first; those that are gone for a week.' }),
    queues: described(
      object({
        jobs: described(
          object({
            ...counted,
            oldestDueTime: described(nullableTime, 'Since when the oldest has been due; null where none is.'),
          }),
          'Jobs that are due.',
        ),
        events: object(counted, { description: 'Facts that have no event yet.' }),
        deliveries: object(counted, {
          description: 'Deliveries that wait to be sent, or to be tried again.',
        }),
        lanes: Type.Array(lane, { description: 'What waits to be submitted to providers.' }),
      }),
      'What waits in the background.',
    ),
    unknownOutcomes: Type.Array(unknownOutcome, {
      description:
        'What was submitted and has no outcome yet, among the 500 oldest of each type. A provider that is missing has none among them.',
    }),
    webhooks: object(
      {
        failing: number('Of all Spaces: those whose deliveries fail.'),
        disabled: number('Those that were disabled for it.'),
        estimated,
      },
      { description: 'Counts only: whose they are is their Space’s affair.' },
    ),
    database: described(database, 'The database as this node sees it.'),
    clock: object(
      {
        differenceMs: Type.Integer({ description: 'How far the node is ahead of the database.' }),
        uncertaintyMs: number('The truth is at most so far away.'),
      },
      { description: 'Of the node that responds.' },
    ),
    lastProof: Type.Union([proof, Type.Null()], {
      description: 'The last proof of all the books, by a node at night or by `pesewa verify`.',
    }),
  },
  { title: 'InstallationHealth' },
)
