import { type Command, Option } from 'commander'
import { openFollowers } from '../../followers.ts'
import { nounOf } from '../../instructions/nouns.ts'
import {
  type InstructionKind,
  listUnknown,
  type OpenInstruction,
  type Resolution,
  resolvableFrom,
  resolve,
} from '../../instructions/resolving.ts'
import { wholeNumber } from '../../platform/http/json.ts'
import { showId } from '../../platform/ids.ts'
import { createLog } from '../../platform/log.ts'
import { ownUrl } from '../../platform/platform.ts'
import { resourceOf } from '../../platform/resources.ts'
import { createSeals } from '../../platform/seals.ts'
import { readSecretKey } from '../../platform/secret-key.ts'
import { loadCatalogue } from '../../providers/catalogue.ts'
import { readSettings } from '../../slices.ts'
import type { Decider } from '../../spaces/audit.ts'
import { showOwner } from '../../spaces/ownership.ts'
import { spaceIds } from '../../spaces/resources.ts'
import { idArgument } from '../arguments.ts'
import { type Json, jsonOption, print } from '../output.ts'
import { withDatabase } from './actions.ts'

/** `pesewa payments` and `pesewa payouts`: those of which no rail says what became of them. */
export function addResolvingCommands(program: Command): void {
  for (const kind of ['collect', 'disburse'] as const) addCommands(program, kind)
}

function addCommands(program: Command, kind: InstructionKind): void {
  const noun = nounOf[kind]
  const { ids } = resourceOf(noun)
  const commands = program.command(`${noun}s`).description(`${noun}s whose outcome is unknown`)
  commands
    .command('list')
    .requiredOption('--unknown', 'those that were sent and have no outcome yet, of every Space')
    .option(...jsonOption)
    .action((options: Json) => print(options, () => list(kind)))
  commands
    .command('resolve')
    .argument('<id>', `${ids.prefix}-…`, idArgument(ids))
    .addOption(
      new Option('--as <end>', 'the outcome, according to the provider’s staff or its statement')
        .choices(['completed', 'failed'])
        .makeOptionMandatory(),
    )
    .requiredOption('--by <who>', 'who decides')
    .requiredOption('--reason <text>', 'why, for the record')
    .option(...jsonOption)
    .action((id: string, options: Decider & { as: Resolution } & Json) =>
      print(options, () => resolveOne(kind, id, options)),
    )
}

const list = (kind: InstructionKind) =>
  withDatabase(async (db) => ({ [`${nounOf[kind]}s`]: (await listUnknown(db, kind)).map(described) }))

function resolveOne(kind: InstructionKind, id: string, options: Decider & { as: Resolution }) {
  const settings = readSettings(process.env)
  const followers = openFollowers({
    settings,
    baseUrl: settings.baseUrl ?? ownUrl(settings),
    seals: createSeals(readSecretKey(settings)),
    catalogue: loadCatalogue(settings.providersFile),
  })
  const parts = { followers, log: createLog(settings.logLevel) }
  return withDatabase((db) =>
    db.transaction(async (tx) => {
      await resolve(tx, parts, { kind, id, resolution: options.as }, options)
      return { id: showOwner({ type: nounOf[kind], id }), status: options.as }
    }),
  )
}

const lastKnown = {
  submitting: 'sent; no answer was recorded',
  submitted: 'the provider took it',
  unknown: 'the provider gave no clear answer',
} as const satisfies Record<OpenInstruction['state'], string>

const described = (instruction: OpenInstruction) => ({
  id: showOwner({ type: nounOf[instruction.kind], id: instruction.id }),
  spaceId: showId(spaceIds, instruction.scope.spaceId),
  environment: instruction.scope.environment,
  providerId: instruction.providerId,
  currency: instruction.currency,
  value: wholeNumber(instruction.amount),
  sentTime: instruction.submittedAt,
  resolvableFrom: resolvableFrom(instruction),
  lastKnown: lastKnown[instruction.state],
  /** What the provider knows it by. */
  railReference: instruction.reference,
})
