import { type Command, Option } from 'commander'
import type { List, Pesewa } from '../../../../sdk/src/index.ts'
import { type Printing, printing } from '../command.ts'

const pageSize = 50 // rows of a list that a command reads together

type How<Args extends unknown[], Result> = Printing<Args, Result> & {
  /** Names of options for the fields of the API that are reported under another name. */
  names?: Record<string, string>
  /** Throws an error of the action again, with another exit code. */
  failed?: (error: Error) => never
}

/**
 * Adds an action that calls the API as an operator, and prints the result of `work`. The API is called in this
 * process or, with `--url` and a token, at a running service.
 */
export const operating = <Args extends unknown[], Result extends object>(
  command: Command,
  work: (api: Pesewa, ...args: Args) => Promise<Result>,
  { names, failed = raise, ...how }: How<Args, Result> = {},
) =>
  printing(
    withOperatorConnection(command),
    (...args: Args) => callAsOperator(command, (api) => work(api, ...args), names).catch(failed),
    how,
  )

const raise = (error: Error): never => {
  throw error
}

/** Adds the options that select the service. */
const withOperatorConnection = (command: Command) =>
  command
    .addOption(
      // A service records the email address of the token's user, so it needs no name.
      new Option('--url <url>', 'URL of a running service (default: use its database directly)').implies({
        by: '',
      }),
    )
    .addOption(new Option('--token <token>', 'live token of an operator, for --url').env('PESEWA_TOKEN'))

/** Returns all entries of a paged list, oldest first. */
export async function allOf<Row>(resource: { list(query: { limit: number }): List<Row> }): Promise<Row[]> {
  return (await resource.list({ limit: pageSize }).all({ limit: Infinity })).toReversed()
}

export const byOption = ['--by <who>', 'name of the person making the decision'] as const
export const reasonOption = ['--reason <text>', 'reason, for the record'] as const

/** Adds the required options `--by` and `--reason`. */
export const withDecider = (command: Command) =>
  command.requiredOption(...byOption).requiredOption(...reasonOption)

/** Runs `work` with a client of the API, which is loaded on demand. */
const callAsOperator = async <T>(
  command: Command,
  work: (api: Pesewa) => Promise<T>,
  names?: Record<string, string>,
): Promise<T> => (await import('./operator-client.ts')).withOperatorApi(command.opts(), work, names)
