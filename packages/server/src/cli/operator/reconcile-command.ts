import { fieldsOf } from '@pesewa/values'
import { type Command, InvalidArgumentError } from 'commander'
import { InvalidRequestError, type MatchingStep, type Pesewa } from '../../../../sdk/src/index.ts'
import { readItem } from '../../finance/reconciliation/item-names.ts'
import { readTime } from '../../finance/reconciliation/statement-text.ts'
import type { Environment } from '../../platform/scope.ts'
import type { Decider } from '../../tenants/spaces/audit.ts'
import { CommandError, dayArgument, environmentOption, printing } from '../command.ts'
import { daysAsJson, describeDays } from './closed-days-text.ts'
import { byOption, operating, reasonOption } from './operator-command.ts'
import type { ImportOptions, SimulatedOptions } from './reconcile-actions.ts'
import { describeReport, reportAsJson } from './reconciliation-text.ts'
import type { FetchOptions } from './statement-actions.ts'

// Exit code 1 is reserved for open items.
const failureCode = 2

const itemsShown = 20 // open items that a report lists as text
const maxItemsShown = 100_000 // open items that a report lists with `--json`

// Loaded on demand, because most commands do not need statements, the catalogue and its schemas.
const actions = () => import('./reconcile-actions.ts')

// Messages use the names of options.
const common = { names: { providerId: 'provider' }, failed: withFailureCode }

const providerOption = ['--provider <id>', 'provider id, such as m17'] as const
const optionalProvider = ['--provider <id>', 'only this provider, such as m17'] as const
const fromOption = ['--from <time>', 'start of the period', timeArgument] as const
const untilOption = ['--until <time>', 'end of the period', timeArgument] as const

/** Adds `pesewa reconcile` and its subcommands, which compare providers' statements with the books. */
export function addReconcileCommand(program: Command): void {
  const command = program
    .command('reconcile')
    .description(
      'match provider statements with the books: exits with 0 if all items covered by statements match, 1 if any are open, 2 if the command failed or the totals do not add up',
    )
    .option(...optionalProvider)
    .addOption(environmentOption())
    .enablePositionalOptions()
    .exitOverride(withFailureCode)
  operating(command, reconcile, { ...common, text: describeReport, json: reportAsJson })
  const add = (name: string, about: string) =>
    command.command(name).description(about).exitOverride(withFailureCode)
  addFileCommands(add)
  addDecisionCommands(add)
}

type Add = (name: string, about: string) => Command

/** Adds the commands that read or write statements: `import`, `fetch` and `simulated`. */
function addFileCommands(add: Add): void {
  printing(
    add(
      'import',
      'import a provider’s statement, all lines or none: exits with 0 on success, 2 if the statement is refused',
    )
      .requiredOption(...providerOption)
      .addOption(environmentOption().makeOptionMandatory())
      .requiredOption('--file <path>', 'a CSV file')
      .option(
        '--mapping <path>',
        'JSON file that describes the columns (not needed for the simulator’s statements)',
      )
      .option('--from <time>', 'start of the period covered, if earlier than the first line', timeArgument)
      .option('--until <time>', 'end of the period covered, if later than the last line', timeArgument),
    async (options: ImportOptions) => (await actions()).importFile(options).catch(withFailureCode),
    {
      text: ({ lines, newLines, from, until }) =>
        `${lines} lines, ${newLines} new, from ${from.toISOString()} until ${until.toISOString()}\n`,
    },
  )
  printing(
    add(
      'fetch',
      'request a statement from a provider’s rail and write it to a file for import: exits with 0 on success, 2 if no statement is available',
    )
      .requiredOption(
        '--provider <id>',
        'provider on a rail that offers statements: pawaPay, or M-Pesa with Pull Transactions',
      )
      .addOption(environmentOption().makeOptionMandatory())
      .requiredOption(...fromOption)
      .requiredOption(...untilOption)
      .requiredOption('--file <path>', 'output file; must not exist yet')
      .option(
        '--connection <name>',
        'connection name in PROVIDERS_FILE (default: the first that reaches the provider)',
      )
      .option('--currency <code>', 'currency (default: the provider’s first)'),
    async (options: FetchOptions) =>
      (await import('./statement-actions.ts')).fetchToFile(options).catch(withFailureCode),
    {
      text: ({ provider, currency, bytes, file }) =>
        `Wrote the ${provider} statement in ${currency}, ${bytes} bytes, to ${file}\n`,
    },
  )
  add('simulated', 'print the statement of a simulated provider, for import')
    .requiredOption(...providerOption)
    .option(...fromOption)
    .option(...untilOption)
    .action(async (options: SimulatedOptions) => {
      process.stdout.write(await (await actions()).simulatedStatement(options).catch(withFailureCode))
    })
}

/** Adds the commands to close items, and to sign off a provider's day. */
function addDecisionCommands(add: Add): void {
  operating(
    add(
      'close-item',
      'close an open item manually: no money moves, and the item is excluded from matching; exits with 0 on success, 2 if the command is refused',
    )
      .argument(
        '<id>',
        'item id as printed by reconcile: ftx-…, or m17/live/… with the id of the line on the statement',
        itemArgument,
      )
      .requiredOption(...byOption)
      .requiredOption(...reasonOption),
    (api, id: string, { reason }: Decider) =>
      api.installation.openItems.close({ id, reason }).catch((error) => {
        throw error instanceof InvalidRequestError && error.details.some(({ param }) => param === 'id')
          ? new CommandError('There is no such open item.')
          : error
      }),
    { failed: withFailureCode },
  )
  const ofDay = (verb: string, says: string) =>
    add(verb, `${says}; exits with 0 on success, 2 if the command is refused`)
      .argument('<provider>', 'provider id, such as m17')
      .argument('<day>', 'date in the time zone of the provider’s country, such as 2026-11-20', dayArgument)
      .addOption(environmentOption().makeOptionMandatory())
      .requiredOption(...byOption)
  operating(
    ofDay(
      'close-day',
      'sign off a day at a provider, to confirm that its transactions are in the books and every difference is explained',
    ).option('--reason <text>', 'note, for the record', 'every difference is explained'),
    async (api, providerId: string, day: string, { environment, reason }: DaySigned) => {
      // Includes recently booked lines.
      await match(api, { providerId, environment })
      return api.installation.closedDays.create({ providerId, environment, day, reason })
    },
    { ...common, text: describeDays, json: daysAsJson },
  )
  operating(
    ofDay('reopen-day', 'reopen a closed day, to import a corrected statement').requiredOption(
      ...reasonOption,
    ),
    async (api, provider: string, day: string, { environment, reason }: DaySigned) => {
      await api.installation.closedDays.reopen({ providerId: provider, environment, day, reason })
      return { provider, environment, day, reopened: true }
    },
    common,
  )
  operating(
    add('days', 'list the closed days, newest first; exits with 0 on success, 2 if the command fails')
      .option(...optionalProvider)
      .addOption(environmentOption()),
    (api, options: ReconcileOptions) => api.installation.closedDays.retrieve(extentOf(options)),
    { ...common, text: describeDays, json: daysAsJson },
  )
}

type DaySigned = Decider & { environment: Environment }
type ReconcileOptions = { provider?: string; environment?: Environment; json?: boolean }

const extentOf = ({ provider, environment }: ReconcileOptions) => ({
  ...(provider && { providerId: provider }),
  ...(environment && { environment }),
})

async function reconcile(api: Pesewa, options: ReconcileOptions) {
  const extent = extentOf(options)
  await match(api, extent)
  const maxItems = options.json ? maxItemsShown : itemsShown
  const report = await api.installation.reconciliation.retrieve({ ...extent, maxItems })
  process.exitCode = report.proof.differences.length > 0 ? failureCode : report.isClean ? 0 : 1
  return report
}

/** Matches all statements of an extent, in as many steps as necessary. */
async function match(api: Pesewa, extent: { providerId?: string; environment?: Environment }) {
  for (let step: MatchingStep = { isDone: false, after: null }; !step.isDone; )
    step = await api.installation.reconciliation.match({ ...extent, after: step.after })
}

function itemArgument(text: string): string {
  if (!readItem(text)) throw new InvalidArgumentError('must be an item id such as ftx-… or m17/live/4242.')
  return text
}

function withFailureCode(error: Error): never {
  const { exitCode = failureCode } = fieldsOf(error)
  throw Object.assign(error, { exitCode: exitCode && failureCode })
}

function timeArgument(text: string): Date {
  try {
    return readTime(text)
  } catch {
    throw new InvalidArgumentError('must be a time such as 2026-11-21 or 2026-11-21T02:00:00Z.')
  }
}
