import type { EventSettings } from '../../events/settings.ts'
import type { PlatformSettings } from '../../platform/config.ts'
import { showId } from '../../platform/ids.ts'
import type { LegalHold } from '../../tenants/retention/hold-store.ts'
import type { RetentionPeriod } from '../../tenants/retention/periods.ts'
import type { Erasure } from './erasure-store.ts'
import type { DataExport } from './export-store.ts'
import { erasureIds, exportIds, holdIds } from './resources.ts'

export type CopySettings = Pick<
  PlatformSettings & EventSettings,
  'eventRetentionMs' | 'idempotencyRetentionMs'
>

const dayMs = 86_400_000
const requestLogDays = 7
const ussdSessionDays = 1

/** Returns the places with copies of personal data that expire by themselves, and after how many days. */
export const presentCopyPeriods = ({ eventRetentionMs, idempotencyRetentionMs }: CopySettings) => [
  { place: 'events' as const, days: eventRetentionMs / dayMs },
  { place: 'idempotency_keys' as const, days: idempotencyRetentionMs / dayMs },
  { place: 'request_log' as const, days: requestLogDays },
  { place: 'ussd_sessions' as const, days: ussdSessionDays },
  { place: 'backups' as const, days: null },
]

/** Returns when copies of personal data that were made at a time expire. */
const presentCopies = (settings: CopySettings, at: Date) =>
  presentCopyPeriods(settings).map(({ place, days }) => ({
    place,
    until: days === null ? null : new Date(at.getTime() + days * dayMs).toISOString(),
  }))

export const presentExport = (made: DataExport) => ({
  id: showId(exportIds, made.id),
  person: made.personMask,
  personHash: made.personHash,
  reason: made.reason,
  found: made.found,
  createdBy: made.createdBy,
  createTime: made.createdAt.toISOString(),
  expireTime: made.expiresAt.toISOString(),
})

/** Copies are counted from the last change, which is when the newest of them was made. */
export const presentErasure = (settings: CopySettings, erasure: Erasure) => ({
  id: showId(erasureIds, erasure.id),
  status: erasure.status,
  person: erasure.personMask,
  personHash: erasure.personHash,
  reason: erasure.reason,
  erasable: erasure.erasable,
  erased: erasure.erased,
  kept: erasure.kept,
  copies: presentCopies(settings, erasure.updatedAt),
  nextTime: erasure.nextAt?.toISOString() ?? null,
  createdBy: erasure.createdBy,
  createTime: erasure.createdAt.toISOString(),
  confirmedBy: erasure.confirmedBy,
  confirmTime: erasure.confirmedAt?.toISOString() ?? null,
  updateTime: erasure.updatedAt.toISOString(),
})

export const presentHold = (hold: LegalHold, now: Date) => ({
  id: showId(holdIds, hold.id),
  status: hold.liftedAt
    ? ('lifted' as const)
    : hold.endsAt && hold.endsAt <= now
      ? ('ended' as const)
      : ('open' as const),
  person: hold.personMask,
  personHash: hold.personHash,
  reason: hold.reason,
  endTime: hold.endsAt?.toISOString() ?? null,
  createdBy: hold.placedBy,
  createTime: hold.createdAt.toISOString(),
  liftedBy: hold.liftedBy,
  liftTime: hold.liftedAt?.toISOString() ?? null,
  liftReason: hold.liftingReason,
})

export const presentPeriods = (settings: CopySettings, periods: RetentionPeriod[]) => ({
  periods: periods.map(({ class: of, days }) => ({ class: of, days })),
  bounds: periods.map(({ days: _, ...bounds }) => bounds),
  copies: presentCopyPeriods(settings),
})
