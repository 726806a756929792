import { type Command, InvalidArgumentError } from 'commander'
import { parseDuration } from '../../platform/duration.ts'
import { jsonOption } from '../command.ts'

/** Adds `pesewa verify`, which verifies the books. */
export const addVerifyCommand = (program: Command) =>
  program
    .command('verify')
    .description('verify the books: exits with 1 and prints the differences if they do not balance')
    .option(
      '--since <when>',
      'check only what was added since a time, such as 2026-11-21T02:00:00Z, or within a recent period, such as 24h',
      sinceArgument,
    )
    .option('-v, --verbose', 'print every check, with the number of rows it examined')
    .option(...jsonOption)
    .action(async (options) => (await import('./verify-action.ts')).verify(options))

const isoForm = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2}))?$/

/** Parses a time. A duration, such as `24h`, is subtracted from the current time. */
function sinceArgument(text: string): Date {
  const agoMs = parseDuration(text)
  const since = agoMs === undefined ? readTime(text) : new Date(Date.now() - agoMs)
  if (!since || Number.isNaN(since.getTime()) || since.getTime() < 0)
    throw new InvalidArgumentError('must be a time such as 2026-11-21T02:00:00Z or a duration such as 24h.')
  if (since.getTime() > Date.now()) throw new InvalidArgumentError('must not be in the future.')
  return since
}

function readTime(text: string): Date | undefined {
  // JavaScript parses 30 February as 2 March.
  const [day = ''] = text.split('T', 1)
  const isDay = isoForm.test(text) && new Date(`${day}T00:00Z`).getUTCDate() === Number(day.slice(-2))
  return isDay ? new Date(text) : undefined
}
