import Type from 'typebox'
import {
  nullableText,
  nullableTime,
  object,
  timestamp,
  withDescription,
  withMeanings,
} from '../../platform/http/shapes/shapes.ts'

const environment = withMeanings(Type.Enum(['test', 'live'] as const), 'Environment.', {
  test: 'no real money moves',
  live: 'real money moves',
})
const number = (description: string) => Type.Integer({ minimum: 0, description, examples: [3] })
const estimated = Type.Boolean({ description: 'True if the count reached its limit, so there may be more.' })
const counted = { count: number('Number of items, up to a limit.'), estimated }

const node = object({
  id: withDescription(
    Type.Integer({ examples: [1_284_911] }),
    'Number of the node, unique among running nodes.',
  ),
  isThis: Type.Boolean({ description: 'True for the node that sent this response.' }),
  version: withDescription(Type.String({ examples: ['0.1.0'] }), 'Version of the program.'),
  serves: Type.Boolean({ description: 'True if it serves requests.' }),
  works: Type.Boolean({ description: 'True if it runs background jobs.' }),
  status: Type.Enum(['alive', 'stopped', 'lost'] as const, {
    description:
      '`alive`: running; `stopped`: shut down cleanly; `lost`: the process ended without a clean shutdown. Based on a lock that the node holds while it runs.',
  }),
  startTime: withDescription(timestamp, 'When it started.'),
  stopTime: withDescription(nullableTime, 'When it stopped; null if it is running or lost.'),
})

const providerQueue = object({
  environment,
  kind: withMeanings(Type.Enum(['collect', 'disburse', 'refund'] as const), 'Type of queued orders.', {
    collect: 'payments',
    disburse: 'payouts',
    refund: 'refunds',
  }),
  providerId: withDescription(Type.String({ examples: ['m17'] }), 'Provider of the queue.'),
  ...counted,
})

const unknownOutcome = object({
  environment,
  type: withMeanings(Type.Enum(['payment', 'payout', 'refund'] as const), 'Type of object.', {
    payment: 'payments',
    payout: 'payouts',
    refund: 'refunds',
  }),
  providerId: withDescription(
    Type.String({ examples: ['m17'] }),
    'Provider that has not reported an outcome.',
  ),
  ...counted,
  oldestSubmitTime: Type.String({
    format: 'date-time',
    description: 'When the oldest of these orders was submitted, by its Space’s clock.',
    examples: ['2026-11-21T10:00:00.000Z'],
  }),
})

const replica = object({
  name: withDescription(Type.String(), 'Name of the standby.', 'standby'),
  state: withDescription(nullableText, 'State according to PostgreSQL.'),
  isSynchronous: withDescription(Type.Boolean(), 'True if commits wait for this standby.'),
  lagSeconds: withDescription(
    Type.Unsafe<number | null>({ type: ['number', 'null'] }),
    'Number of seconds by which the standby is behind; null if unknown.',
  ),
})

const database = object({
  version: withDescription(Type.String({ examples: ['18.0'] }), 'PostgreSQL version.'),
  schemaVersion: withDescription(Type.Integer({ examples: [1] }), 'Number of the newest migration.'),
  sizeBytes: withDescription(Type.Integer({ examples: [53_687_091_200] }), 'Size of the database in bytes.'),
  connections: number('Connections to this database from all programs.'),
  maxConnections: number('Connection limit of the server.'),
  isStandby: withDescription(Type.Boolean(), 'True if it is a read-only standby.'),
  replicas: Type.Array(replica, {
    description: 'Standbys that the service’s database user can see.',
  }),
})

const proof = object({
  isOk: withDescription(Type.Boolean(), 'True if all checks passed.'),
  startTime: withDescription(timestamp, 'When the verification began.'),
  endTime: withDescription(timestamp, 'When the verification finished.'),
  checks: withDescription(
    Type.Array(
      object({
        name: withDescription(Type.String(), 'Name of the check.', 'every posting sums to zero'),
        examined: Type.String({ description: 'Number and type of the rows examined.' }),
        differences: number('Number of differences found, at most 20.'),
      }),
    ),
    'Results by check.',
  ),
})

export const health = object(
  {
    nodes: Type.Array(node, {
      description: 'Nodes, newest first; stopped and lost nodes are listed for a week.',
    }),
    queues: withDescription(
      object({
        jobs: withDescription(
          object({
            ...counted,
            oldestDueTime: withDescription(
              nullableTime,
              'When the oldest of the due jobs became due; null if no job is due.',
            ),
          }),
          'Jobs that are due.',
        ),
        events: object(counted, { description: 'Facts that have not been published as events yet.' }),
        deliveries: object(counted, {
          description: 'Pending webhook deliveries.',
        }),
        lanes: Type.Array(providerQueue, { description: 'Orders queued for submission to providers.' }),
      }),
      'Background queues.',
    ),
    unknownOutcomes: Type.Array(unknownOutcome, {
      description:
        'Submitted orders without an outcome, among the 500 oldest of each type; providers without such orders are omitted.',
    }),
    webhooks: object(
      {
        failing: number('Webhooks of all Spaces with failing deliveries.'),
        disabled: number('Webhooks disabled after failures.'),
        estimated,
        longestFailing: Type.Array(
          object({
            spaceId: Type.String({
              description: 'Space of the webhook.',
              examples: ['spc-01kaj3v5w8e4r9tbn2m6c7d0xz'],
            }),
            environment,
            webhookId: Type.String({
              description: 'Id of the webhook.',
              examples: ['whk-01kaj3v5w8e4r9tbn2m6c7d0xz'],
            }),
            isDisabled: Type.Boolean({ description: 'True if it was disabled after failures.' }),
            failingSinceTime: withDescription(nullableTime, 'Time of the first failure in a row.'),
          }),
          {
            description:
              'At most five of them, live ones first. URLs are left out, because they belong to the Spaces.',
          },
        ),
      },
      { description: 'Webhooks that fail.' },
    ),
    database: withDescription(database, 'The database as seen by this node.'),
    clock: object(
      {
        differenceMs: Type.Integer({
          description: 'Number of milliseconds by which the node’s clock is ahead of the database’s.',
        }),
        uncertaintyMs: number('Measurement uncertainty in milliseconds.'),
      },
      { description: 'Clock of the node that sent this response.' },
    ),
    lastProof: Type.Union([proof, Type.Null()], {
      description: 'Last verification of all books, by the nightly job or `pesewa verify`.',
    }),
  },
  { title: 'InstallationHealth' },
)
