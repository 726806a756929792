import { type Command, InvalidArgumentError, Option } from 'commander'
import { paymentIds } from '../../money/payments/resources.ts'
import { payoutIds } from '../../money/payouts/resources.ts'
import { refundIds } from '../../money/refunds/resources.ts'
import { type OwnerType, ownerTypes } from '../../rails/instructions/owner-types.ts'
import type { Resolution } from '../../rails/instructions/resolving.ts'
import type { Decider } from '../../tenants/spaces/audit.ts'
import { commandGroup, printing, shownId } from '../command.ts'
import { withConnection } from '../developer/commands.ts'
import type { ConnectionOptions } from '../developer/connection.ts'
import type { MoneyListOptions } from '../developer/money-lists.ts'
import { type MoneyObject, moneyStatuses, toTableRow } from '../developer/money-rows.ts'
import { describe } from '../output/describe.ts'
import { operating, withDecider } from './operator-command.ts'

/**
 * Adds `pesewa payments`, `pesewa payouts` and `pesewa refunds`: those of a Space, as its merchant sees them, and
 * those of all Spaces without a reported outcome, which an operator resolves.
 */
export function addMoneyCommands(program: Command): void {
  for (const ownerType of ownerTypes) addCommands(program, ownerType)
}

const idsOf = { payment: paymentIds, payout: payoutIds, refund: refundIds }

function addCommands(program: Command, ownerType: OwnerType): void {
  const ids = idsOf[ownerType]
  const add = commandGroup(
    program,
    `${ownerType}s`,
    `${ownerType}s of a Space, and those with unknown outcomes`,
  )
  addList(add('list', `list the latest ${ownerType}s of a Space, newest first`), ownerType)
  printing(
    withConnection(
      add('show', `show a ${ownerType} of a Space`).argument('<id>', `${ids.prefix}-…`, shownId(ids)),
    ),
    async (id: string, options: ConnectionOptions) =>
      (await import('../developer/money-lists.ts')).showMoney(ownerType, id, options),
  )
  operating(
    withDecider(
      add('resolve', `record the outcome of a ${ownerType} after checking with the provider`)
        .argument('<id>', `${ids.prefix}-…`, shownId(ids))
        .addOption(
          new Option('--as <end>', 'outcome according to the provider’s staff or statement')
            .choices(['completed', 'failed'])
            .makeOptionMandatory(),
        ),
    ),
    (api, id: string, { as, reason }: Decider & { as: Resolution }) =>
      api.installation.unknownOutcomes.resolve({ id, as, reason }),
  )
}

type ListOptions = MoneyListOptions & { unknown?: boolean }

/** The objects of a Space, or those of all Spaces without an outcome. */
type Listed = { own?: MoneyObject[]; unknown?: object[] }

function addList(command: Command, ownerType: OwnerType): void {
  const nouns = `${ownerType}s`
  printing(
    withConnection(command)
      .addOption(new Option('--status <status>', `only ${nouns} with this status`).choices(moneyStatuses))
      .option(
        '--search <text>',
        `only ${nouns} that match an id, a phone number, an order number or an amount`,
      )
      .option('--limit <count>', `number of ${nouns} to list`, limitArgument, 20)
      .option(
        '--unknown',
        `for operators: list the ${nouns} of all Spaces that were sent and have no outcome yet, oldest first`,
      ),
    async (options: ListOptions): Promise<Listed> => {
      if (options.unknown) return { unknown: await listUnknown(command, ownerType) }
      const { listMoney } = await import('../developer/money-lists.ts')
      return { own: await listMoney(ownerType, options) }
    },
    {
      json: ({ own, unknown }) => ({ [nouns]: own ?? unknown }),
      text: ({ own, unknown }, now) =>
        describe(
          { rows: own?.map(toTableRow) ?? unknown },
          own ? ownView(ownerType) : unknownView(ownerType),
          process.stdout,
          now,
        ),
    },
  )
}

const ownView = (ownerType: OwnerType) => ({
  columns: `id status amount provider account createTime${ownerType === 'payment' ? ' orderNumber name' : ''}`,
  empty: `No ${ownerType}s.`,
})

const unknownView = (ownerType: OwnerType) => ({
  columns: 'id amount providerId sentTime resolvableFrom lastKnown railReference environment spaceId',
  empty: `No ${ownerType}s without an outcome.`,
})

/** Calls the service as an operator. PESEWA_URL, which is for merchants, does not count. */
async function listUnknown(command: Command, type: OwnerType) {
  const { withOperatorApi } = await import('./operator-client.ts')
  const { url, token } = command.opts()
  const remote = command.getOptionValueSource('url') === 'cli' ? { url, token } : {}
  const { items } = await withOperatorApi(remote, (api) =>
    api.installation.unknownOutcomes.retrieve({ type }),
  )
  return items
}

const maxListed = 1_000 // rows that `pesewa payments list` prints

function limitArgument(text: string): number {
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0
  if (limit >= 1 && limit <= maxListed) return limit
  throw new InvalidArgumentError(`must be a number from 1 to ${maxListed}.`)
}
