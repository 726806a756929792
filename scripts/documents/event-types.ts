import { subscribableTypes } from '../../src/events/types.ts'

/** The types of events that the console offers to subscribe to. */
export const writeEventTypes = (): string =>
  [
    '// Written by `npm run write` from src/*/resources.ts: edit that instead.',
    '',
    'export const eventTypes = [',
    ...subscribableTypes().map((type) => `  '${type}',`),
    '] as const',
    '',
  ].join('\n')
