import Type from 'typebox'
import { duration, object, optional, timestamp, withDescription } from '../../platform/http/shapes/shapes.ts'

export const testClock = object(
  {
    now: withDescription(timestamp, 'Current time of the Space.'),
    offsetMs: Type.Integer({
      description: 'Offset from real time, in milliseconds.',
      examples: [7_200_000],
    }),
  },
  { title: 'TestClock' },
)

const step = duration('1s', '30d') // limit: how far a test clock can be advanced in one request

export const change = object({
  advance: withDescription(optional(step), 'How far to advance the clock. Jobs that become due are run.'),
  reset: optional(Type.Boolean({ description: 'True to reset the clock to real time.', default: false })),
})

/** Long enough for anything to expire, and within the range of valid dates. */
export const maxAheadMs = 10 * 366 * 24 * 60 * 60 * 1000 // limit: how far ahead of real time a test clock can be
