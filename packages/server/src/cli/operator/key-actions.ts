import { describeKeys, rewrapKeys, rotateKeys, turnOnEncryption } from '../../operations/data-keys/keys.ts'
import type { Database } from '../../platform/db/database.ts'
import type { MasterKeys } from '../../platform/encryption/key-changes.ts'
import { masterKeysOf } from '../../platform/encryption/master-key.ts'
import { readSettings } from '../../slices.ts'
import type { Decider } from '../../tenants/spaces/audit.ts'
import { existingSecretKey, withDatabase } from './command-database.ts'

// The database is used directly, because a new master key is known only to whoever runs the command.

const withKeys = <T>(work: (db: Database, masters: MasterKeys) => Promise<T>): Promise<T> => {
  const settings = readSettings(process.env)
  return withDatabase((db) =>
    work(
      db,
      masterKeysOf(settings, () => existingSecretKey(settings)),
    ),
  )
}

export const showKeys = () => withKeys((db) => describeKeys(db))

export const encrypt = (decider: Decider) =>
  withKeys(async (db) => {
    await db.transaction((tx) => turnOnEncryption(tx, decider))
    return describeKeys(db)
  })

export const rotate = (decider: Decider, spaceId?: string) =>
  withKeys((db, masters) => rotateKeys(db, masters, decider, spaceId))

export const rewrap = (decider: Decider) => withKeys((db, masters) => rewrapKeys(db, masters, decider))
