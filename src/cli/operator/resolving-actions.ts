import { wholeNumber } from '@pesewa/values'
import { showId } from '../../platform/ids.ts'
import type { OwnerType } from '../../rails/instructions/owner-types.ts'
import * as resolving from '../../rails/instructions/resolving.ts'
import type { OpenInstruction } from '../../rails/instructions/store.ts'
import type { Decider } from '../../tenants/spaces/audit.ts'
import { showOwner } from '../../tenants/spaces/ownership.ts'
import { spaceIds } from '../../tenants/spaces/resources.ts'
import { inTransaction, withDatabase } from './command-database.ts'
import { openRecordingParts } from './recording-parts.ts'

export const listUnknown = (ownerType: OwnerType) =>
  withDatabase(async (db) => ({
    [`${ownerType}s`]: (await resolving.listUnknown(db, ownerType)).map(described),
  }))

export function resolve(ownerType: OwnerType, id: string, options: Decider & { as: resolving.Resolution }) {
  return inTransaction(async (tx) => {
    await resolving.resolve(tx, openRecordingParts(), { ownerType, id, resolution: options.as }, options)
    return { id: showOwner({ type: ownerType, id }), status: options.as }
  })
}

const lastKnown = {
  submitting: 'sent; no response was recorded',
  submitted: 'accepted by the provider',
  unknown: 'ambiguous response from the provider',
} as const satisfies Record<OpenInstruction['state'], string>

const described = (instruction: OpenInstruction) => ({
  id: showOwner({ type: instruction.ownerType, id: instruction.id }),
  spaceId: showId(spaceIds, instruction.scope.spaceId),
  environment: instruction.scope.environment,
  providerId: instruction.providerId,
  amount: { currency: instruction.currency, value: wholeNumber(instruction.amount) },
  sentTime: instruction.submittedAt,
  resolvableFrom: resolving.resolvableFrom(instruction),
  lastKnown: lastKnown[instruction.state],
  /** The reference with which the instruction was sent to the rail. */
  railReference: instruction.reference,
})
