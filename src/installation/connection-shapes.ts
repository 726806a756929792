import Type from 'typebox'
import { shownMoney } from '../countries/shapes.ts'
import { createTime, described, object, timestamp } from '../platform/http/shapes.ts'
import { environments } from '../platform/scope.ts'
import { pauseDirections } from '../providers/pauses.ts'

const nullableTime = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time', description })
const nullableText = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description })
const nullableWhole = (description: string) =>
  Type.Unsafe<number | null>({ type: ['integer', 'null'], description })

export const environmentShape = Type.Enum(environments, {
  examples: ['test'],
  description: 'The environment of the connection, whatever that of the token: `test` or `live`.',
})
export const directionShape = Type.Enum(pauseDirections, {
  examples: ['collect'],
  description: '`collect`: payments; `pay_out`: payouts and refunds.',
})

const pause = object({
  direction: directionShape,
  providerId: nullableText('null: all providers of the connection.'),
  words: Type.String({
    description: 'What payers read meanwhile.',
    examples: ['Orange Money is being repaired until noon.'],
  }),
  by: Type.String({
    description: 'Who decided: a person, or the service itself.',
    examples: ['ama@operator.example'],
  }),
  createTime,
  endTime: nullableTime('When it ends by itself.'),
})

const successes = object(
  {
    succeeded: described(Type.Integer({ examples: [97] }), 'How many succeeded.'),
    failed: described(Type.Integer({ examples: [3] }), 'How many failed.'),
    percent: Type.Unsafe<number | null>({
      type: ['number', 'null'],
      description: 'Of those that ended, in percent with one decimal; null where none did.',
      examples: [97],
    }),
  },
  { title: 'Successes' },
)

const direction = object(
  {
    lastHour: described(successes, 'What was tried within an hour.'),
    lastDay: described(successes, 'What was tried within a day.'),
    p50Ms: nullableWhole(
      'Half of the submits of the last hour took at most so long; null where there were none, or longer ones than 10 s.',
    ),
    p95Ms: nullableWhole('The same of 95 percent.'),
    lastReportTime: nullableTime('When the rail last reported by itself within a day.'),
  },
  { title: 'DirectionState' },
)

const connectionState = object(
  {
    connection: described(Type.String({ examples: ['m17'] }), 'The name of the connection.'),
    environment: environmentShape,
    providerId: described(Type.String({ examples: ['m17'] }), 'One of the providers that it reaches.'),
    name: described(Type.String({ examples: ['Orange Money'] }), 'What people know the provider by.'),
    protocol: Type.String({ description: 'As `PROVIDERS_FILE` has it.', examples: ['own-rail'] }),
    isOpen: Type.Boolean({ description: 'It takes what is new, where it is not paused.' }),
    share: Type.Unsafe<number | null>({
      type: ['number', 'null'],
      description: 'Percent of what is new for the provider; null: the rest.',
    }),
    pauses: described(Type.Array(pause), 'Pauses that are in force.'),
    restsUntil: nullableTime('Some node leaves it alone until then, because it gives no clear responses.'),
    collect: described(direction, 'How it does with money in.'),
    payOut: described(direction, 'How it does with money out.'),
    float: Type.Array(
      object({
        side: Type.Enum(['rail', 'books'] as const, {
          description: 'What the rail says is there, or what the books say.',
        }),
        account: described(
          Type.String(),
          'Which account it is, in the provider’s words or ours.',
          'collections',
        ),
        amount: described(shownMoney, 'What is on it.'),
        readTime: described(timestamp, 'When that was read.'),
      }),
      { description: 'Of live, where the rail says what is on our account; read every five minutes.' },
    ),
    credentialsTime: nullableTime('When the oldest of its credentials was written.'),
  },
  { title: 'ConnectionState' },
)

export const connectionStates = object(
  { connections: described(Type.Array(connectionState), 'All of them, by name.') },
  { title: 'ConnectionStates' },
)
