import Type from 'typebox'
import { personal } from '../../platform/http/admission/personal.ts'
import {
  flag,
  groupOrNull,
  integerOrNull,
  listOf,
  nullable,
  nullableText,
  object,
  optional,
  shownText,
  textOrNull,
  timestamp,
  withDescription,
} from '../../platform/http/shapes/shapes.ts'

/** The headers of a request or a response. */
export const headerList = Type.Array(
  object({
    name: shownText('Name of the header.', 'content-type'),
    value: personal(shownText('Value of the header.', 'application/json'), 'text'),
  }),
)

/** An attempt to send an event. */
export const attempt = {
  time: withDescription(timestamp, 'When the attempt was made.'),
  statusCode: integerOrNull('HTTP status of the response; null if there was none.'),
  durationMs: withDescription(Type.Integer(), 'Milliseconds until the response or the timeout.', 84),
  error: textOrNull('Reason why there was no response.'),
  responseBody: withDescription(
    personal(nullableText, 'text'),
    'First 1 KiB of the response; masked for the role `support`, because an endpoint may echo the event.',
  ),
  responseHeaders: withDescription(
    nullable(headerList),
    'Headers of the response to a failed attempt, at most 20; null for other attempts. Values are masked for the role `support`.',
  ),
}

/** The attempts of a webhook's last day. */
export const lastDay = object(
  {
    delivered: withDescription(Type.Integer(), 'Attempts that the endpoint accepted.', 120),
    failed: withDescription(Type.Integer(), 'Attempts that failed.', 3),
    successRate: Type.Unsafe<number | null>({
      type: ['number', 'null'],
      description: 'Share of the attempts that were accepted, from 0 to 1; null if there were no attempts.',
      examples: [0.975],
    }),
    hours: listOf('24 hours, oldest first. The last one is the current hour.', {
      time: withDescription(timestamp, 'Beginning of the hour.'),
      delivered: withDescription(Type.Integer(), 'Attempts that the endpoint accepted.', 5),
      failed: withDescription(Type.Integer(), 'Attempts that failed.', 0),
    }),
    lastError: groupOrNull('The last failed attempt; null if none failed.', {
      time: withDescription(timestamp, 'When the attempt was made.'),
      statusCode: integerOrNull('HTTP status of the response; null if there was none.'),
      error: textOrNull('Reason why there was no response.'),
    }),
  },
  { description: 'Attempts of the last 24 hours. Only with `withActivity=true`.' },
)

export const activityQuery = object({
  withActivity: optional(flag('True to include `lastDay` and `lastExample`.')),
})
