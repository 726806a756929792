import { subscribableTypes } from '../../packages/server/src/events/types.ts'
import { moduleOf } from './markdown.ts'

/** Generates the event types that the console offers for subscription. */
export const writeEventTypes = (): string =>
  moduleOf(
    'packages/server/src/**/resources.ts',
    'export const eventTypes = [',
    ...subscribableTypes().map((type) => `  '${type}',`),
    '] as const',
    '',
  )
