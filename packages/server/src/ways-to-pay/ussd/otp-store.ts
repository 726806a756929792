import { json, orNull, text, textOf, time, uuid } from '../../platform/db/columns.ts'
import type { Database, Reader, Tx } from '../../platform/db/database.ts'
import { nothing, type Sql, sql } from '../../platform/db/sql.ts'
import { type RowOf, table } from '../../platform/db/table.ts'
import type { Page } from '../../platform/http/commands/route.ts'
import { equals, type FilterOf, selectFiltered } from '../../platform/http/lists/filters.ts'
import type { Metadata } from '../../platform/http/shapes/shapes.ts'
import type { Scope } from '../../platform/scope.ts'
import { shareReads } from '../../platform/shared-reads.ts'
import type { PhoneKey } from './phone-store.ts'
import type { OtpStatus } from './states.ts'

const otps = table('ussd_otps', ['id'], {
  id: uuid,
  status: textOf<OtpStatus>(),
  /** Six digits. */
  number: text,
  /** In E.164 format. */
  phoneNumber: text,
  verificationMessage: orNull(text),
  metadata: json<Metadata>(),
  expiresAt: time,
  createdAt: time,
})
export type Otp = RowOf<typeof otps>

export const insertOtp = (tx: Tx, scope: Scope, otp: Otp) => tx.run(otps.insert([{ ...otp, scope }]))

export const selectOtp = (db: Reader, scope: Scope, id: string, lock: Sql = nothing) =>
  db.one(sql`${otps.of(scope)} and id = ${id} ${lock}`)

export const shareOtps = (db: Database) => shareReads(db, otps.requested)

export const selectOtps = (db: Database, scope: Scope, { status }: FilterOf<Otp, 'status'>, page: Page) =>
  selectFiltered(db, otps, scope, page, [equals(sql`status`, sql`text`, status, { leadsTo: 'many' })])

const update = otps.update('status')
export const updateOtpStatus = (tx: Tx, scope: Scope, otp: Otp) => tx.run(update([{ ...otp, scope }]))

/** Returns the number of active OTPs for a phone in a Space, counted up to `atMost`. */
export async function countOpen(
  db: Reader,
  { spaceId, environment }: Scope,
  phoneNumber: string,
  atMost: number,
): Promise<number> {
  const rows = await db.query(sql`
    select 1 from ussd_otps
    where space_id = ${spaceId} and environment = ${environment} and phone_number = ${phoneNumber}
      and status = 'pending'
    limit ${atMost}`)
  return rows.length
}

/**
 * Claims an OTP's digits for its phone. Returns `false` if they already belong to an active OTP for this phone,
 * in any Space.
 */
export async function claimNumber(tx: Tx, { spaceId, environment }: Scope, otp: Otp): Promise<boolean> {
  const claimed = await tx.run(sql`
    insert into ussd_otp_numbers (phone_number, number, environment, space_id, otp_id)
    values (${otp.phoneNumber}, ${otp.number}, ${environment}, ${spaceId}, ${otp.id})
    on conflict (phone_number, number) do update
    set environment = excluded.environment, space_id = excluded.space_id, otp_id = excluded.otp_id, is_open = true
    where not ussd_otp_numbers.is_open`)
  return claimed === 1
}

export const freeNumber = (tx: Tx, { spaceId, environment }: Scope, otp: Otp) =>
  tx.run(sql`
    update ussd_otp_numbers set is_open = false
    where phone_number = ${otp.phoneNumber} and number = ${otp.number} and space_id = ${spaceId}
      and environment = ${environment} and otp_id = ${otp.id}`)

type OpenOtp = Scope & { otpId: string }

/** Returns the phone's active OTP with these digits, or `undefined` if there is none. */
export const findNumber = (db: Reader, { environment, phoneNumber }: PhoneKey, number: string) =>
  db.one<OpenOtp>(sql`
    select space_id, environment, otp_id from ussd_otp_numbers
    where phone_number = ${phoneNumber} and number = ${number} and environment = ${environment} and is_open`)

/** Returns the phone's newest active OTP, or `undefined` if there is none. */
export const findNewestOpen = (db: Reader, { environment, phoneNumber }: PhoneKey) =>
  db.one<OpenOtp>(sql`
    select space_id, environment, otp_id from ussd_otp_numbers
    where phone_number = ${phoneNumber} and environment = ${environment} and is_open
    order by otp_id desc limit 1`)
