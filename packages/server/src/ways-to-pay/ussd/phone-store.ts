import { must } from '@pesewa/values'
import type { Reader, Tx } from '../../platform/db/database.ts'
import { isEither, storedText, storedTexts } from '../../platform/db/encryption.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Environment, Scope } from '../../platform/scope.ts'
import { installationScope } from '../../tenants/spaces/chained-changes.ts'
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
  const stored = storedTexts(phoneNumbers.map((value) => ({ scope: installationScope(environment), value })))
  const rows = await db.query<Phone & { nth: bigint }>(sql`
    select nth, language, wrong_otps, wrong_codes
    from unnest(${stored}::text[]) with ordinality as requested (phone_number, nth)
    join ussd_phones phone on phone.environment = ${environment} and phone.phone_number = requested.phone_number`)
  return new Map(
    rows.map(({ nth, ...phone }) => [must(phoneNumbers[Number(nth) - 1], 'phone that has dialled'), phone]),
  )
}

/** A phone belongs to no Space, so its number is hashed alike for all of them. Nobody reads the number itself. */
const stored = (environment: Environment, phoneNumber: string) =>
  storedText(installationScope(environment), phoneNumber)

/** Inserts a phone if it is new, and locks its row, so that its dials are checked one at a time. */
export const lockPhone = (tx: Tx, { environment, phoneNumber }: PhoneKey) =>
  tx.only<Phone>(sql`
    insert into ussd_phones (environment, phone_number) values (${environment}, ${stored(environment, phoneNumber)})
    on conflict (environment, phone_number) do update set phone_number = excluded.phone_number
    returning language, wrong_otps, wrong_codes`)

export const updateWrongDials = (tx: Tx, { environment, phoneNumber }: PhoneKey, phone: Phone) =>
  tx.run(sql`
    update ussd_phones set wrong_otps = ${phone.wrongOtps}, wrong_codes = ${phone.wrongCodes}
    where environment = ${environment} and phone_number = ${stored(environment, phoneNumber)}`)

export const updateLanguage = (tx: Tx, { environment, phoneNumber }: PhoneKey, language: MenuLanguage) =>
  tx.run(sql`
    insert into ussd_phones (environment, phone_number, language)
    values (${environment}, ${stored(environment, phoneNumber)}, ${language})
    on conflict (environment, phone_number) do update set language = excluded.language`)

/** Returns what is stored about a phone that has had an OTP in this Space, or `undefined`. */
export const selectPhoneOf = (db: Reader, scope: Scope, phoneNumber: string) => {
  const { spaceId, environment } = scope
  return db.one<Phone>(sql`
    select language, wrong_otps, wrong_codes from ussd_phones phone
    where phone.environment = ${environment} and phone.phone_number = ${stored(environment, phoneNumber)} and exists (
      select 1 from ussd_otps otp
      where otp.space_id = ${spaceId} and otp.environment = ${environment} and otp.phone_number = ${isEither(scope, phoneNumber)})`)
}

/** Deletes what is stored about a phone, so that it is like one that has never dialled. */
export const deletePhone = (tx: Tx, { environment, phoneNumber }: PhoneKey) =>
  // every space: a phone belongs to none
  tx.run(
    sql`delete from ussd_phones where environment = ${environment} and phone_number = ${stored(environment, phoneNumber)}`,
  )
