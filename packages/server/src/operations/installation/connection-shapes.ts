import { railKinds } from '@pesewa/connector-kit'
import Type from 'typebox'
import { shownMoney } from '../../countries/shapes.ts'
import { createTime, object, timestamp, withDescription } from '../../platform/http/shapes/shapes.ts'
import { environmentShape } from '../../rails/connections/shapes.ts'
import { pauseDirections } from '../../rails/routing/pause-scope.ts'

const nullableTime = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time', description })
const nullableText = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description })
const nullableWhole = (description: string) =>
  Type.Unsafe<number | null>({ type: ['integer', 'null'], description })

export const directionShape = Type.Enum(pauseDirections, {
  examples: ['collect'],
  description: '`collect`: payments; `pay_out`: payouts and refunds.',
})

const pause = object({
  direction: directionShape,
  providerId: nullableText('Null if the pause applies to all providers of the connection.'),
  words: Type.String({
    description: 'Message for payers.',
    examples: ['Orange Money is under maintenance until noon.'],
  }),
  by: Type.String({
    description: 'Who paused it: a person, or the service itself.',
    examples: ['ama@operator.example'],
  }),
  createTime,
  endTime: nullableTime('When the pause ends automatically.'),
})

const successes = object(
  {
    succeeded: withDescription(Type.Integer({ examples: [97] }), 'Number of successes.'),
    failed: withDescription(Type.Integer({ examples: [3] }), 'Number of failures.'),
    percent: Type.Unsafe<number | null>({
      type: ['number', 'null'],
      description:
        'Percentage of successes among attempts with an outcome, with one decimal; null if there are none.',
      examples: [97],
    }),
  },
  { title: 'Successes' },
)

const direction = object(
  {
    lastHour: withDescription(successes, 'Attempts in the last hour.'),
    lastDay: withDescription(successes, 'Attempts in the last 24 hours.'),
    p50Ms: nullableWhole(
      'Median duration of submissions in the last hour; null if there were none, or if it exceeds 10 s.',
    ),
    p95Ms: nullableWhole('95th percentile of these durations.'),
    lastReportTime: nullableTime('When the rail last sent a callback, if that was within the last 24 hours.'),
  },
  { title: 'DirectionState' },
)

const connectionState = object(
  {
    connection: withDescription(Type.String({ examples: ['m17'] }), 'Name of the connection.'),
    environment: environmentShape,
    providerId: withDescription(
      Type.String({ examples: ['m17'] }),
      'Id of a provider that the connection reaches.',
    ),
    name: withDescription(Type.String({ examples: ['Orange Money'] }), 'Display name of the provider.'),
    protocol: Type.String({ description: 'Protocol, as in `PROVIDERS_FILE`.', examples: ['own-rail'] }),
    isOpen: Type.Boolean({
      description: 'True if the connection accepts new orders while it is not paused.',
    }),
    share: Type.Unsafe<number | null>({
      type: ['number', 'null'],
      description:
        'Percentage of the provider’s new orders that the connection receives; null if it receives the remainder.',
    }),
    pauses: withDescription(Type.Array(pause), 'Current pauses.'),
    restsUntil: nullableTime(
      'Time until which a node has stopped sending orders, because responses were unclear.',
    ),
    breakers: Type.Array(
      object({
        kind: Type.Enum(railKinds, {
          examples: ['collect'],
          description: 'Type of orders: `collect`, `disburse` or `refund`.',
        }),
        endTime: withDescription(timestamp, 'When the circuit breaker closes.'),
      }),
      { description: 'Open circuit breakers, by type of orders.' },
    ),
    collect: withDescription(direction, 'Statistics of payments.'),
    payOut: withDescription(direction, 'Statistics of payouts and refunds.'),
    float: Type.Array(
      object({
        side: Type.Enum(['rail', 'books'] as const, {
          description: 'Source of the balance: `rail` or `books`.',
        }),
        account: withDescription(
          Type.String(),
          'Name of the account, in the provider’s terms or ours.',
          'collections',
        ),
        amount: withDescription(shownMoney, 'Balance of the account.'),
        readTime: withDescription(timestamp, 'When the balance was read.'),
      }),
      {
        description:
          'Balances, read every five minutes; only for live connections whose rail reports our balance.',
      },
    ),
    credentialsTime: nullableTime('When the connection’s oldest credential file was written.'),
  },
  { title: 'ConnectionState' },
)

export const connectionStates = object(
  { connections: withDescription(Type.Array(connectionState), 'All connections, by name.') },
  { title: 'ConnectionStates' },
)
