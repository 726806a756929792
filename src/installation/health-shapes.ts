import Type from 'typebox'
import { object, timestamp } from '../platform/http/shapes.ts'

const environment = Type.Enum(['test', 'live'] as const)
const nullableTime = Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time' })
const number = (description: string) => Type.Integer({ minimum: 0, description, examples: [3] })
const estimated = Type.Boolean({ description: 'The count ended at its limit: there is at least so much.' })
const counted = { count: number('How many there are, up to a limit.'), estimated }

const node = object({
  id: Type.Integer({ examples: [1_284_911] }),
  isThis: Type.Boolean({ description: 'The node that responds.' }),
  version: Type.String({ examples: ['0.1.0'] }),
  serves: Type.Boolean({ description: 'Responds to requests.' }),
  works: Type.Boolean({ description: 'Does everything in the background.' }),
  status: Type.Enum(['alive', 'stopped', 'lost'] as const, {
    description:
      'By the lock that it holds while it runs; `lost`: its process ended without stopping in order.',
  }),
  startTime: timestamp,
  stopTime: nullableTime,
})

const lane = object({
  environment,
  kind: Type.Enum(['collect', 'disburse', 'refund'] as const),
  providerId: Type.String({ examples: ['m17'] }),
  ...counted,
})

const unknownOutcome = object({
  environment,
  type: Type.Enum(['payment', 'payout', 'refund'] as const),
  providerId: Type.String({ examples: ['m17'] }),
  ...counted,
  oldestSubmitTime: Type.String({
    format: 'date-time',
    description: 'By the clock of its Space.',
    examples: ['2026-11-21T10:00:00.000Z'],
  }),
})

const replica = object({
  name: Type.String(),
  state: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
  lagSeconds: Type.Unsafe<number | null>({ type: ['number', 'null'] }),
})

const database = object({
  version: Type.String({ examples: ['18.0'] }),
  schemaVersion: Type.Integer({ examples: [46] }),
  sizeBytes: Type.Integer({ examples: [53_687_091_200] }),
  connections: number('Of this database, of all programs.'),
  maxConnections: number('The server’s own limit.'),
  isStandby: Type.Boolean(),
  replicas: Type.Array(replica, {
    description: 'Those that follow it, as far as the service may see them.',
  }),
})

const proof = object({
  isOk: Type.Boolean(),
  startTime: timestamp,
  endTime: timestamp,
  checks: Type.Array(
    object({
      name: Type.String(),
      examined: Type.String({ description: 'How many rows, and of what.' }),
      differences: number('Those that it named, at most 20.'),
    }),
  ),
})

export const health = object(
  {
    nodes: Type.Array(node, { description: 'The newest first; those that are gone for a week.' }),
    queues: object({
      jobs: object({ ...counted, oldestDueTime: nullableTime }),
      events: object(counted, { description: 'Facts that have no event yet.' }),
      deliveries: object(counted, { description: 'Deliveries that wait to be sent, or to be tried again.' }),
      lanes: Type.Array(lane, { description: 'What waits to be submitted to providers.' }),
    }),
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
    database,
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
