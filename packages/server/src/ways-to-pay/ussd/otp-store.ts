import { uuids } from '../../platform/db/arrays.ts'
import {
  encrypted,
  hashed,
  integer,
  json,
  orNull,
  text,
  textOf,
  time,
  uuid,
} from '../../platform/db/columns.ts'
import type { Database, Reader, Tx } from '../../platform/db/database.ts'
import { isEither, storedTexts } from '../../platform/db/encryption.ts'
import { lockEach, selectEach } from '../../platform/db/lookups.ts'
import type { Scoped } from '../../platform/db/scoped.ts'
import { nothing, type Sql, sql } from '../../platform/db/sql.ts'
import { type RowOf, table } from '../../platform/db/table.ts'
import { unnestScoped } from '../../platform/db/unnest.ts'
import type { Page } from '../../platform/http/commands/route.ts'
import { equals, type FilterOf, selectFiltered } from '../../platform/http/lists/filters.ts'
import type { Metadata } from '../../platform/http/shapes/shapes.ts'
import type { Environment, Scope } from '../../platform/scope.ts'
import { shareReads } from '../../platform/shared-reads.ts'
import { erased } from '../../tenants/retention/person.ts'
import { installationScope, markChanging } from '../../tenants/spaces/chained-changes.ts'
import type { PhoneKey } from './phone-store.ts'
import type { OtpStatus } from './states.ts'

const otps = table('ussd_otps', ['id'], {
  id: uuid,
  status: textOf<OtpStatus>(),
  /** Six digits. */
  number: text,
  /** In E.164 format. */
  phoneNumber: encrypted('ussd_otps.phone_number'),
  verificationMessage: orNull(text),
  metadata: json<Metadata>(),
  expiresAt: time,
  createdAt: time,
})
export type Otp = RowOf<typeof otps>

/** Returns a statement that inserts OTPs. It can run on its own or as part of a larger statement. */
export const insertOtps = otps.insert

export const selectOtp = (db: Reader, scope: Scope, id: string, lock: Sql = nothing) =>
  db.one(sql`${otps.of(scope)} and id = ${id} ${lock}`)

export const shareOtps = (db: Database) => shareReads(db, otps.requested)

export const selectOtps = (db: Database, scope: Scope, { status }: FilterOf<Otp, 'status'>, page: Page) =>
  selectFiltered(db, otps, scope, page, [equals(sql`status`, sql`text`, status, { leadsTo: 'many' })])

const update = otps.update('status')
export const updateOtpStatus = (tx: Tx, scope: Scope, otp: Otp) => tx.run(update([{ ...otp, scope }]))

/** Returns the number of active OTPs for each phone in a Space, counted up to `atMost`. */
export const countOpen = (db: Reader, phones: Scoped<{ phoneNumber: string }>[], atMost: number) =>
  selectEach<{ phoneNumber: string; count: number }>(
    db,
    sql`(select distinct * from ${phoneRows(phones.map((phone) => ({ ...phone, hash: phone.phoneNumber })))}) requested`,
    sql`
      select requested.phone_number, count(*)::int as count from (
        select 1 from ussd_otps
        where space_id = requested.space_id and environment = requested.environment
          and phone_number = any(array[requested.hash, requested.phone_number]) and status = 'pending'
        limit ${atMost}) pending`,
  )

const phoneRows = unnestScoped({ phoneNumber: text, hash: hashed })

/**
 * Returns SQL that claims digits for phones that have never had them, as part of a larger statement. Otherwise, the
 * statement fails. The rows are ordered, so that two such statements cannot deadlock.
 */
export const claimingNumbers = (claims: Scoped<Otp>[]): Sql => sql`
  insert into ussd_otp_numbers (phone_number, number, environment, space_id, otp_id)
  select stored.phone_number, number, environment, space_id, id
  from ${claimRows(claims.map((claim, place) => ({ ...claim, place: place + 1 })))}
  join unnest(${storedTexts(claims.map(phoneOf))}::text[]) with ordinality as stored (phone_number, nth) on nth = place
  order by stored.phone_number, number`

const claimRows = unnestScoped({ place: integer, number: text, id: uuid })

/** Digits are claimed for a phone in all Spaces, so its number is hashed alike for all of them. */
const phoneOf = ({ scope, phoneNumber }: { scope: Pick<Scope, 'environment'>; phoneNumber: string }) => ({
  scope: installationScope(scope.environment),
  value: phoneNumber,
})

/**
 * Claims digits for phones, which must all differ, and returns the ids of the OTPs that got theirs. Digits that
 * belong to an active OTP for the phone, in any Space, are not claimed.
 */
export async function claimNumbers(tx: Tx, claims: Scoped<Otp>[]): Promise<Set<string>> {
  const claimed = await tx.query<{ id: string }>(sql`
    ${claimingNumbers(claims)}
    on conflict (phone_number, number) do update
    set environment = excluded.environment, space_id = excluded.space_id, otp_id = excluded.otp_id, is_open = true
    where not ussd_otp_numbers.is_open
    returning otp_id as id`)
  return new Set(claimed.map(({ id }) => id))
}

const isPhone = (environment: Environment, phoneNumber: string) =>
  isEither(installationScope(environment), phoneNumber)

export const freeNumber = (tx: Tx, { spaceId, environment }: Scope, otp: Otp) =>
  tx.run(sql`
    update ussd_otp_numbers set is_open = false
    where phone_number = ${isPhone(environment, otp.phoneNumber)} and number = ${otp.number} and space_id = ${spaceId}
      and environment = ${environment} and otp_id = ${otp.id}`)

type OpenOtp = Scope & { otpId: string }

/** Returns the phone's active OTP with these digits, or `undefined` if there is none. */
export const findNumber = (db: Reader, { environment, phoneNumber }: PhoneKey, number: string) =>
  db.one<OpenOtp>(sql`
    select space_id, environment, otp_id from ussd_otp_numbers
    where phone_number = ${isPhone(environment, phoneNumber)} and number = ${number} and environment = ${environment} and is_open`)

/** Returns the phone's newest active OTP, or `undefined` if there is none. */
export const findNewestOpen = (db: Reader, { environment, phoneNumber }: PhoneKey) =>
  db.one<OpenOtp>(sql`
    select space_id, environment, otp_id from ussd_otp_numbers
    where phone_number = ${isPhone(environment, phoneNumber)} and environment = ${environment} and is_open
    order by otp_id desc limit 1`)

/** The condition for OTPs of a phone; none if it is undefined. */
export const isOtpOf = (scope: Scope, phoneNumber: string | undefined): Sql =>
  phoneNumber === undefined ? sql`false` : sql`phone_number = ${isEither(scope, phoneNumber)}`

/** Returns the OTPs that match a condition, which may end with an order and a limit. */
export const selectOtpRows = (db: Reader, scope: Scope, condition: Sql) =>
  db.query(sql`${otps.of(scope)} ${condition}`)

/** Erases the phone numbers and messages of OTPs that are no longer active, and frees their digits. */
export async function erasePhones(tx: Tx, scope: Scope, ids: string[]): Promise<void> {
  const { spaceId, environment } = scope
  const objects = ids.map((id) => ({ scope, id }))
  const locked = await lockEach(tx, objects, otps.requested)
  await markChanging(tx, 'ussd_otp', otps.table, objects)
  for (const { id, phoneNumber, number } of locked)
    await tx.run(sql`
      delete from ussd_otp_numbers
      where phone_number = ${isPhone(environment, phoneNumber)} and number = ${number} and space_id = ${spaceId}
        and environment = ${environment} and otp_id = ${id} and not is_open`)
  await tx.run(sql`
    update ussd_otps set phone_number = ${erased}, phone_number_encrypted = null, phone_number_last = null,
      verification_message = null
    where space_id = ${spaceId} and environment = ${environment} and id = any(${uuids(ids)}::uuid[])`)
}
