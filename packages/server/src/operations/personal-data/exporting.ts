import type { Database, Tx } from '../../platform/db/database.ts'
import type { Call } from '../../platform/http/commands/route.ts'
import { newId } from '../../platform/ids.ts'
import type { Platform } from '../../platform/platform.ts'
import { Refusal } from '../../platform/refusals.ts'
import type { Scope } from '../../platform/scope.ts'
import { auditPerson } from '../../tenants/retention/audit.ts'
import type { RetentionClass } from '../../tenants/retention/classes.ts'
import { daysAfter } from '../../tenants/retention/periods.ts'
import { identify, type Person } from '../../tenants/retention/person.ts'
import { actorOf } from '../../tenants/spaces/deciders.ts'
import { type DataExport, insertExport } from './export-store.ts'
import { lockPerson, unlockPerson } from './persons.ts'
import {
  type AssessedRecord,
  type Keeping,
  type KeptReason,
  openRetention,
  type PersonalDataParts,
  summarize,
  walkPerson,
} from './records.ts'

export type ExportParts = Pick<Platform, 'db' | 'vault' | 'seals'> & PersonalDataParts

const exportHours = 24 // limit: hours for which an export can be downloaded
const hourMs = 3_600_000

/** Makes an export of everything that is stored about a person. Its content is read when it is downloaded. */
export async function makeExport(
  tx: Tx,
  parts: ExportParts,
  call: Pick<Call, 'scope' | 'userId' | 'operator' | 'now'>,
  person: Person,
  reason: string,
): Promise<DataExport> {
  const { scope, now } = call
  const retention = await openRetention(tx, parts, scope, now)
  const { found } = await summarize(tx, parts.seals, scope, retention, person)
  const made: DataExport = {
    id: newId(now),
    person: lockPerson(parts.vault, person),
    ...identify(parts.seals, scope, person),
    reason,
    found,
    createdBy: await actorOf(tx, call),
    createdAt: now,
    expiresAt: new Date(now.getTime() + exportHours * hourMs),
  }
  await insertExport(tx, scope, made)
  await auditPerson(tx, call, 'personal_data_export', 'create', made, reason)
  return made
}

export type ExportedRecord = {
  type: string
  id: string
  createTime: string | null
  retention: RetentionClass
  keptUntil: string | null
  keptBecause: KeptReason
  data: Record<string, unknown>
}

/** Yields everything that is stored about the person of an export. */
export async function* readExport(
  db: Database,
  parts: ExportParts,
  scope: Scope,
  { person: locked, expiresAt }: DataExport,
  now: Date,
): AsyncGenerator<ExportedRecord[]> {
  if (locked === null || now >= expiresAt)
    throw new Refusal('state_conflict', { message: 'This export has expired. Create a new one.' })
  const person = unlockPerson(parts.vault, locked)
  const retention = await db.within(scope.spaceId, () => openRetention(db, parts, scope, now))
  const walk = walkPerson(db, parts.seals, scope, retention, person, ({ days }) => days)
  for (;;) {
    const { value, done } = await db.within(scope.spaceId, () => walk.next())
    if (done) return
    const { records, period, rows } = value
    yield rows.map((row) => {
      const { reason, until } = row.keeping ?? ownPeriod(row, period.days)
      return {
        type: records.type,
        id: row.id,
        createTime: row.at?.toISOString() ?? null,
        retention: records.retention,
        keptUntil: until?.toISOString() ?? null,
        keptBecause: reason,
        data: { ...row.data },
      }
    })
  }
}

const ownPeriod = ({ at }: AssessedRecord, days: number): Keeping =>
  at ? { reason: 'retention_period', until: daysAfter(at, days) } : { reason: 'no_period', until: null }

const maxInDocument = 10_000 // limit: objects in the JSON document of an export

/** Returns everything that is stored about the person of an export, in memory. */
export async function collectExport(...of: Parameters<typeof readExport>): Promise<ExportedRecord[]> {
  const all: ExportedRecord[] = []
  for await (const some of readExport(...of)) {
    all.push(...some)
    if (all.length > maxInDocument)
      throw new Refusal('state_conflict', {
        message: 'This export is too large for one JSON document. Download it as CSV or XLSX.',
      })
  }
  return all
}
