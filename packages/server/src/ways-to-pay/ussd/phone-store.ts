import type { Reader, Tx } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Environment, Scope } from '../../platform/scope.ts'
import type { MenuLanguage } from './texts.ts'

/** Identifies a phone, in the environment of the aggregator through which it dials. */
export type PhoneKey = { environment: Environment; phoneNumber: string }

/**
 * A phone that has dialled. The times of its wrong dials are listed oldest first, up to the number that causes
 * a lock-out.
 */
export type Phone = { language: MenuLanguage | null; wrongOtps: Date[]; wrongCodes: Date[] }

/** Returns the phones that have dialled before. The map's keys are their numbers. */
export async function selectPhones(
  db: Reader,
  environment: Environment,
  phoneNumbers: string[],
): Promise<Map<string, Phone>> {
  const rows = await db.query<Phone & { phoneNumber: string }>(sql`
    select phone_number, language, wrong_otps, wrong_codes from ussd_phones
    where environment = ${environment} and phone_number = any(${phoneNumbers}::text[])`)
  return new Map(rows.map(({ phoneNumber, ...phone }) => [phoneNumber, phone]))
}

/** Inserts a phone if it is new, and locks its row, so that its dials are checked one at a time. */
export const lockPhone = (tx: Tx, { environment, phoneNumber }: PhoneKey) =>
  tx.only<Phone>(sql`
    insert into ussd_phones (environment, phone_number) values (${environment}, ${phoneNumber})
    on conflict (environment, phone_number) do update set phone_number = excluded.phone_number
    returning language, wrong_otps, wrong_codes`)

export const updateWrongDials = (tx: Tx, { environment, phoneNumber }: PhoneKey, phone: Phone) =>
  tx.run(sql`
    update ussd_phones set wrong_otps = ${phone.wrongOtps}, wrong_codes = ${phone.wrongCodes}
    where environment = ${environment} and phone_number = ${phoneNumber}`)

export const updateLanguage = (tx: Tx, { environment, phoneNumber }: PhoneKey, language: MenuLanguage) =>
  tx.run(sql`
    insert into ussd_phones (environment, phone_number, language)
    values (${environment}, ${phoneNumber}, ${language})
    on conflict (environment, phone_number) do update set language = excluded.language`)

/** Returns what is stored about a phone that has had an OTP in this Space, or `undefined`. */
export const selectPhoneOf = (db: Reader, { spaceId, environment }: Scope, phoneNumber: string) =>
  db.one<Phone>(sql`
    select language, wrong_otps, wrong_codes from ussd_phones phone
    where phone.environment = ${environment} and phone.phone_number = ${phoneNumber} and exists (
      select 1 from ussd_otps otp
      where otp.space_id = ${spaceId} and otp.environment = ${environment} and otp.phone_number = ${phoneNumber})`)

/** Deletes what is stored about a phone, so that it is like one that has never dialled. */
export const deletePhone = (tx: Tx, { environment, phoneNumber }: PhoneKey) =>
  // every space: a phone belongs to none
  tx.run(sql`delete from ussd_phones where environment = ${environment} and phone_number = ${phoneNumber}`)
