import type { Tx } from '../../platform/db/database.ts'
import type { Call } from '../../platform/http/commands/route.ts'
import { newId } from '../../platform/ids.ts'
import { enqueue, schedule } from '../../platform/jobs/queue.ts'
import type { Platform } from '../../platform/platform.ts'
import { existing, Refusal } from '../../platform/refusals.ts'
import type { Scope } from '../../platform/scope.ts'
import { auditPerson } from '../../tenants/retention/audit.ts'
import { daysAfter } from '../../tenants/retention/periods.ts'
import { identify, type Person } from '../../tenants/retention/person.ts'
import { actorOf } from '../../tenants/spaces/deciders.ts'
import { lockSettings } from '../../tenants/spaces/store.ts'
import {
  type Erasure,
  insertErasure,
  lockErasure,
  selectWaitingErasures,
  writeErasure,
} from './erasure-store.ts'
import { lockPerson, unlockPerson } from './persons.ts'
import {
  type Keeping,
  KeptCounts,
  minimumOf,
  openRetention,
  type PersonalDataParts,
  periodOf,
  selectAssessed,
  selectSealed,
  summarize,
  TypeCounts,
} from './records.ts'
import { type ErasureStatus, next } from './states.ts'

export type ErasureParts = Pick<Platform, 'vault' | 'seals' | 'clock'> & PersonalDataParts

type Caller = Pick<Call, 'scope' | 'userId' | 'operator' | 'now'>

/** Requests an erasure. Nothing is erased before it is confirmed; until then, it shows what would be. */
export async function requestErasure(
  tx: Tx,
  parts: ErasureParts,
  call: Caller,
  person: Person,
  reason: string,
): Promise<Erasure> {
  const { scope, now } = call
  const retention = await openRetention(tx, parts, scope, now)
  const { erasable, kept } = await summarize(tx, parts.seals, scope, retention, person)
  const made: Erasure = {
    id: newId(now),
    status: 'pending',
    person: lockPerson(parts.vault, person),
    ...identify(parts.seals, scope, person),
    reason,
    erasable,
    erased: [],
    kept,
    type: null,
    erasedTo: null,
    nextAt: null,
    createdBy: await actorOf(tx, call),
    createdAt: now,
    confirmedBy: null,
    confirmedAt: null,
    updatedAt: now,
  }
  await insertErasure(tx, scope, made)
  await auditPerson(tx, call, 'personal_data_erasure', 'create', made, reason)
  return made
}

/** Confirms an erasure, which then runs in the background. Repeating the call has no effect. */
export async function confirmErasure(tx: Tx, call: Caller & { id: string }): Promise<Erasure> {
  const { scope, id, now } = call
  const erasure = existing(await lockErasure(tx, scope, id))
  if (erasure.confirmedAt !== null) return erasure
  const confirmed: Erasure = {
    ...withStatus(erasure, 'processing', now),
    kept: [],
    confirmedBy: await actorOf(tx, call),
    confirmedAt: now,
  }
  await writeErasure(tx, scope, confirmed)
  await auditPerson(tx, call, 'personal_data_erasure', 'confirm', erasure, erasure.reason)
  enqueueErasure(tx, scope, id)
  return confirmed
}

/** Cancels an erasure that has not been confirmed. Repeating the call has no effect. */
export async function cancelErasure(tx: Tx, call: Caller & { id: string }): Promise<void> {
  const { scope, id, now } = call
  const erasure = existing(await lockErasure(tx, scope, id))
  if (erasure.status === 'cancelled') return
  await writeErasure(tx, scope, { ...withStatus(erasure, 'cancelled', now), person: null })
  await auditPerson(tx, call, 'personal_data_erasure', 'cancel', erasure, erasure.reason)
}

function withStatus(erasure: Erasure, status: ErasureStatus, now: Date): Erasure {
  const allowed: readonly ErasureStatus[] = next[erasure.status]
  if (!allowed.includes(status)) throw new Refusal('state_conflict')
  return { ...erasure, status, updatedAt: now }
}

const jobName = 'personal-data.erase'

const enqueueErasure = (tx: Tx, scope: Scope, id: string) =>
  enqueue(tx, jobName, { ...scope, erasureId: id }, `${jobName} ${id}`)

/** Tries all waiting erasures again, because a legal hold has been lifted. */
export async function resumeErasures(tx: Tx, scope: Scope): Promise<void> {
  for (const { id } of await selectWaitingErasures(tx, scope)) enqueueErasure(tx, scope, id)
}

const chunk = 100 // objects that one transaction erases
const notChained: Keeping = { reason: 'not_chained', until: null }

/** The chain lags only seconds behind; other reasons last longer. */
const retryTime = ({ reason }: Keeping, now: Date) =>
  reason === 'not_chained' ? new Date(now.getTime() + 60_000) : daysAfter(now, 1)

/**
 * Erases the next objects of a person, and records how far it has come in the same transaction. So an interrupted
 * erasure continues where it stopped, and running a job twice does no harm.
 */
export async function eraseNext(tx: Tx, parts: ErasureParts, scope: Scope, id: string): Promise<void> {
  const now = parts.clock.now(scope)
  // Nobody can place a legal hold while data is being erased.
  await lockSettings(tx, scope.spaceId)
  const stored = await lockErasure(tx, scope, id)
  const erasure = stored?.status === 'waiting' ? restarted(stored, now) : stored
  if (erasure?.status !== 'processing' || !erasure.person || !erasure.confirmedAt) return
  const retention = await openRetention(tx, parts, scope, now)
  const all = retention.data.records
  const at = erasure.type === null ? 0 : all.findIndex(({ type }) => type === erasure.type)
  const records = all[at]
  if (!records) return endErasure(tx, scope, erasure, now)

  const person = unlockPerson(parts.vault, erasure.person)
  const page = { after: erasure.erasedTo ?? undefined, take: chunk }
  const days = minimumOf(periodOf(retention, records))
  const rows = await selectAssessed(tx, parts.seals, scope, retention, records, { person }, page, days)
  const [kept, erased] = [new KeptCounts(erasure.kept), new TypeCounts(erasure.erased)]
  const { confirmedAt } = erasure
  // What the person does after the request is not covered by it.
  const covered = rows.filter(({ at, isErased }) => !isErased && !(at && at > confirmedAt))
  const sealed = await selectSealed(
    tx,
    scope,
    records,
    covered.map(({ key }) => key),
  )
  const free: string[] = []
  let { nextAt } = erasure
  for (const { key, ...row } of covered) {
    const keeping = row.keeping ?? (sealed.has(key) ? null : notChained)
    if (!keeping) free.push(key)
    else {
      kept.add(records.type, keeping)
      const retryAt = keeping.until ?? retryTime(keeping, now)
      if (nextAt === null || retryAt < nextAt) nextAt = retryAt
    }
  }
  if (free.length > 0) await records.erase(tx, scope, free)
  erased.add(records.type, free.length)
  const isTypeDone = rows.length < chunk
  const following = all[at + 1]
  const progressed: Erasure = {
    ...erasure,
    erased: erased.list(),
    kept: kept.list(),
    nextAt,
    updatedAt: now,
    type: isTypeDone ? (following?.type ?? null) : records.type,
    erasedTo: isTypeDone ? null : (rows.at(-1)?.key ?? null),
  }
  if (isTypeDone && !following) return endErasure(tx, scope, progressed, now)
  await writeErasure(tx, scope, progressed)
  enqueueErasure(tx, scope, id)
}

const restarted = (erasure: Erasure, now: Date): Erasure => ({
  ...withStatus(erasure, 'processing', now),
  kept: [],
  nextAt: null,
  type: null,
  erasedTo: null,
})

async function endErasure(tx: Tx, scope: Scope, erasure: Erasure, now: Date): Promise<void> {
  if (erasure.nextAt === null)
    return void (await writeErasure(tx, scope, { ...withStatus(erasure, 'completed', now), person: null }))
  await writeErasure(tx, scope, withStatus(erasure, 'waiting', now))
  schedule(tx, erasure.nextAt, jobName, { ...scope, erasureId: erasure.id })
}
