import { type Command, Option } from 'commander'
import { withDatabase } from './admin-actions.ts'
import { idArgument } from './command-arguments.ts'
import { type Json, jsonOption, print } from './command-output.ts'
import {
  listUnknown,
  type OpenPayout,
  type Resolution,
  resolvableFrom,
  resolvePayout,
} from './payouts/resolving.ts'
import { wholeNumber } from './platform/http/json.ts'
import { showId } from './platform/ids.ts'
import type { Decider } from './spaces/audit.ts'

/** `pesewa payouts`: those of which no rail says what became of them. */
export function addPayoutCommands(program: Command): void {
  const commands = program.command('payouts').description('payouts whose end is not known')
  commands
    .command('list')
    .requiredOption('--unknown', 'those that were sent and have no end yet, of every Space')
    .option(...jsonOption)
    .action((options: Json) => print(options, list))
  commands
    .command('resolve')
    .argument('<id>', 'pyt-…', idArgument('payout'))
    .addOption(
      new Option('--as <end>', 'what became of the money, as the provider’s people or statement say')
        .choices(['completed', 'failed'])
        .makeOptionMandatory(),
    )
    .requiredOption('--by <who>', 'who decides')
    .requiredOption('--reason <text>', 'why, for those who ask later')
    .option(...jsonOption)
    .action((id: string, options: Decider & { as: Resolution } & Json) =>
      print(options, () => resolve(id, options)),
    )
}

const list = () => withDatabase(async (db) => ({ payouts: (await listUnknown(db)).map(described) }))

const resolve = (id: string, options: Decider & { as: Resolution }) =>
  withDatabase((db) =>
    db.transaction(async (tx) => {
      const { status, updatedAt } = await resolvePayout(tx, id, options.as, options)
      return { id: showId('payout', id), status, updateTime: updatedAt }
    }),
  )

const lastKnown = {
  submitting: 'sent; no answer was recorded',
  submitted: 'the provider took it',
  unknown: 'the provider gave no clear answer',
} as const satisfies Record<OpenPayout['railState'], string>

const described = (payout: OpenPayout) => ({
  id: showId('payout', payout.id),
  spaceId: showId('space', payout.spaceId),
  environment: payout.environment,
  providerId: payout.providerId,
  currency: payout.currency,
  value: wholeNumber(payout.amount),
  sentTime: payout.submittedAt,
  resolvableFrom: resolvableFrom(payout),
  lastKnown: lastKnown[payout.railState],
  /** What the provider knows it by. */
  railReference: payout.railReference,
})
