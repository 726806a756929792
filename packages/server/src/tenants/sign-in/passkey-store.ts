import type { HomeTx, Reader } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'

/** A public key that a user has registered. Its times are wall-clock times. */
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

/** Inserts a passkey. Returns false if any user has already registered its credential. */
export const insertPasskey = async (tx: HomeTx, passkey: Passkey): Promise<boolean> =>
  (await tx.run(sql`
    insert into passkeys (${columns})
    values (${passkey.id}, ${passkey.userId}, ${passkey.credentialId}, ${passkey.publicKey}, ${passkey.counter},
      ${passkey.transports}, ${passkey.name}, ${passkey.isSynced}, ${passkey.createdAt}, ${passkey.usedAt})
    on conflict (credential_id) do nothing`)) > 0

export const selectPasskeysOf = (db: Reader, userId: string, limit: number) =>
  db.query<Passkey>(sql`
    select ${columns} from passkeys where user_id = ${userId} order by id limit ${limit}`)

/**
 * Locks and returns a passkey, so that the second of two concurrent uses is checked against the counter of the
 * first.
 */
export const lockPasskey = (tx: HomeTx, credentialId: string) =>
  tx.one<Passkey>(sql`select ${columns} from passkeys where credential_id = ${credentialId} for update`)

export const markPasskeyUsed = (tx: HomeTx, id: string, counter: number, at: Date) =>
  tx.run(sql`update passkeys set counter = ${counter}, used_at = ${at} where id = ${id}`)

/** Renames a passkey. Returns false if the user has no such passkey. */
export const renamePasskey = async (tx: HomeTx, userId: string, id: string, name: string): Promise<boolean> =>
  (await tx.run(sql`update passkeys set name = ${name} where id = ${id} and user_id = ${userId}`)) > 0

export const deletePasskey = async (tx: HomeTx, userId: string, id: string): Promise<boolean> =>
  (await tx.run(sql`delete from passkeys where id = ${id} and user_id = ${userId}`)) > 0
