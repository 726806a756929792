import type { Tx } from '../../platform/db/database.ts'
import type { Call } from '../../platform/http/commands/route.ts'
import { newId } from '../../platform/ids.ts'
import { existing, Refusal } from '../../platform/refusals.ts'
import type { Seals } from '../../platform/seals.ts'
import { actorOf } from '../spaces/deciders.ts'
import { lockSettings } from '../spaces/store.ts'
import { auditPerson } from './audit.ts'
import { insertHold, type LegalHold, lockHold, writeLifted } from './hold-store.ts'
import { identify, type Person } from './person.ts'

type Caller = Pick<Call, 'scope' | 'userId' | 'operator' | 'now'>

/** Places a legal hold on the data of a person, or of everybody. Waits until no data is being erased. */
export async function placeHold(
  tx: Tx,
  seals: Seals,
  call: Caller,
  person: Person | undefined,
  { endsAt, reason }: { endsAt: Date | null; reason: string },
): Promise<LegalHold> {
  const { scope, now } = call
  await lockSettings(tx, scope.spaceId)
  const hold: LegalHold = {
    id: newId(now),
    ...(person ? identify(seals, scope, person) : { personHash: null, personMask: null }),
    reason,
    placedBy: await actorOf(tx, call),
    createdAt: now,
    endsAt,
    liftedBy: null,
    liftedAt: null,
    liftingReason: null,
  }
  await insertHold(tx, scope, hold)
  await auditPerson(tx, call, 'legal_hold', 'place', hold, reason, { until: endsAt?.toISOString() ?? null })
  return hold
}

/** Lifts an open hold. */
export async function liftHold(tx: Tx, call: Caller & { id: string }, reason: string): Promise<LegalHold> {
  const { scope, id, now } = call
  const hold = existing(await lockHold(tx, scope, id))
  if (hold.liftedAt !== null) throw new Refusal('state_conflict')
  const lifted = { ...hold, liftedBy: await actorOf(tx, call), liftedAt: now, liftingReason: reason }
  await writeLifted(tx, scope, lifted)
  await auditPerson(tx, call, 'legal_hold', 'lift', hold, reason)
  return lifted
}
