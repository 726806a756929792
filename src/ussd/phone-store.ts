import type { Reader, Tx } from '../platform/db/database.ts'
import { sql } from '../platform/db/sql.ts'
import type { Environment } from '../platform/scope.ts'
import type { Language } from './texts.ts'

/** What is remembered of a phone that dials. Wrong dials, oldest first, no more than lead to a lock-out. */
export type Phone = { language: Language | null; wrongOtps: Date[]; wrongCodes: Date[] }

/** What is known of phones, by their number. */
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

/** Makes a phone known if it is not, and locks it: what is judged of it is judged one by one. */
export const lockPhone = (tx: Tx, environment: Environment, phoneNumber: string) =>
  tx.only<Phone>(sql`
    insert into ussd_phones (environment, phone_number) values (${environment}, ${phoneNumber})
    on conflict (environment, phone_number) do update set phone_number = excluded.phone_number
    returning language, wrong_otps, wrong_codes`)

export const updateWrongDials = (tx: Tx, environment: Environment, phoneNumber: string, phone: Phone) =>
  tx.run(sql`
    update ussd_phones set wrong_otps = ${phone.wrongOtps}, wrong_codes = ${phone.wrongCodes}
    where environment = ${environment} and phone_number = ${phoneNumber}`)

export const updateLanguage = (tx: Tx, environment: Environment, phoneNumber: string, language: Language) =>
  tx.run(sql`
    insert into ussd_phones (environment, phone_number, language)
    values (${environment}, ${phoneNumber}, ${language})
    on conflict (environment, phone_number) do update set language = excluded.language`)
