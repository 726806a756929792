import { openFollowers } from '../../followers.ts'
import type { OwnerType } from '../../instructions/owner-types.ts'
import * as resolving from '../../instructions/resolving.ts'
import { wholeNumber } from '../../platform/http/json.ts'
import { showId } from '../../platform/ids.ts'
import { createLog } from '../../platform/log.ts'
import { ownUrl } from '../../platform/platform.ts'
import { createSeals } from '../../platform/seals.ts'
import { readSecretKey } from '../../platform/secret-key.ts'
import { readSettings } from '../../slices.ts'
import type { Decider } from '../../spaces/audit.ts'
import { showOwner } from '../../spaces/ownership.ts'
import { spaceIds } from '../../spaces/resources.ts'
import { inTransaction, withDatabase } from './command-database.ts'

export const listUnknown = (ownerType: OwnerType) =>
  withDatabase(async (db) => ({
    [`${ownerType}s`]: (await resolving.listUnknown(db, ownerType)).map(described),
  }))

export function resolve(ownerType: OwnerType, id: string, options: Decider & { as: resolving.Resolution }) {
  const settings = readSettings(process.env)
  const followers = openFollowers({
    settings,
    baseUrl: settings.baseUrl ?? ownUrl(settings),
    seals: createSeals(readSecretKey(settings)),
  })
  const parts = { followers, log: createLog(settings.logLevel) }
  return inTransaction(async (tx) => {
    await resolving.resolve(tx, parts, { ownerType, id, resolution: options.as }, options)
    return { id: showOwner({ type: ownerType, id }), status: options.as }
  })
}

const lastKnown = {
  submitting: 'sent; no answer was recorded',
  submitted: 'the provider took it',
  unknown: 'the provider gave no clear answer',
} as const satisfies Record<resolving.OpenInstruction['state'], string>

const described = (instruction: resolving.OpenInstruction) => ({
  id: showOwner({ type: instruction.ownerType, id: instruction.id }),
  spaceId: showId(spaceIds, instruction.scope.spaceId),
  environment: instruction.scope.environment,
  providerId: instruction.providerId,
  currency: instruction.currency,
  value: wholeNumber(instruction.amount),
  sentTime: instruction.submittedAt,
  resolvableFrom: resolving.resolvableFrom(instruction),
  lastKnown: lastKnown[instruction.state],
  /** What the provider knows it by. */
  railReference: instruction.reference,
})
