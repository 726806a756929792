import type { Reader, Tx } from '../platform/db/database.ts'
import { sql } from '../platform/db/sql.ts'

/** A public key of an authenticator that a person registered. Real time. */
export type Passkey = {
  id: string
  userId: string
  credentialId: string
  publicKey: Buffer
  counter: bigint
  transports: string[]
  name: string
  isSynced: boolean
  createdAt: Date
  usedAt: Date | null
}

const columns = sql`id, user_id, credential_id, public_key, counter, transports, name, is_synced, created_at, used_at`

/** Returns whether it was new: a credential is registered once, whoever's it is. */
export const insertPasskey = async (tx: Tx, passkey: Passkey): Promise<boolean> =>
  (await tx.run(sql`
    insert into passkeys (${columns})
    values (${passkey.id}, ${passkey.userId}, ${passkey.credentialId}, ${passkey.publicKey}, ${passkey.counter},
      ${passkey.transports}, ${passkey.name}, ${passkey.isSynced}, ${passkey.createdAt}, ${passkey.usedAt})
    on conflict (credential_id) do nothing`)) > 0

export const selectPasskeysOf = (db: Reader, userId: string, limit: number) =>
  db.query<Passkey>(sql`
    select ${columns} from passkeys where user_id = ${userId} order by id limit ${limit}`)

/** Locked: of two uses at once the second is checked against the counter of the first. */
export const lockPasskey = (tx: Tx, credentialId: string) =>
  tx.one<Passkey>(sql`select ${columns} from passkeys where credential_id = ${credentialId} for update`)

export const markPasskeyUsed = (tx: Tx, id: string, counter: number, at: Date) =>
  tx.run(sql`update passkeys set counter = ${counter}, used_at = ${at} where id = ${id}`)

/** Returns whether there is such a passkey of the person. */
export const renamePasskey = async (tx: Tx, userId: string, id: string, name: string): Promise<boolean> =>
  (await tx.run(sql`update passkeys set name = ${name} where id = ${id} and user_id = ${userId}`)) > 0

export const deletePasskey = async (tx: Tx, userId: string, id: string): Promise<boolean> =>
  (await tx.run(sql`delete from passkeys where id = ${id} and user_id = ${userId}`)) > 0
