import * as fs from 'node:fs/promises'
import path from 'node:path'
import {
  type AboutBackup,
  backupsIn,
  fingerprintOf,
  pruneBackups,
  type ReadBackup,
  readAbout,
  readBackup,
  restoreBackup,
  type WrittenBackup,
  writeBackup,
} from '@pesewa/base-backup'
import { codeOf } from '@pesewa/values'
import { joinDatabase } from '../../database.ts'
import type { Proof } from '../../finance/books/verify.ts'
import { recordBackup, recordPruned } from '../../platform/db/backups.ts'
import { openDatabase } from '../../platform/db/database.ts'
import { checkSchema, MigrationError } from '../../platform/db/migrate.ts'
import { primaryOf, sessionOf } from '../../platform/db/servers.ts'
import { sql } from '../../platform/db/sql.ts'
import { hasSecretKey, readSecretKey } from '../../platform/secret-key.ts'
import { readSettings, type Settings } from '../../slices.ts'
import { CommandError } from '../command.ts'
import { stopOnSignal } from './command-database.ts'
import { progressBar } from './progress-bar.ts'
import { describeProof, proveBooks } from './verify-action.ts'

type BackupOptions = { to: string; keep?: number; json?: boolean }

/**
 * `pesewa backup`: writes, verifies and records a backup. With `keep`, also removes older backups, so that at
 * most that many are left.
 */
export async function backup({ to, keep, json }: BackupOptions): Promise<void> {
  const settings = readSettings(process.env)
  const database = await joinDatabase(settings)
  const interruption = new AbortController()
  const hearing = stopOnSignal(() => {
    interruption.abort()
    return database.stop()
  }, 'removing the incomplete backup')
  const db = openDatabase(database.connection, { maxConnections: 1, onIdleError: () => {} })
  try {
    await checkSchema(db.pool)
    const isEmbedded = settings.databaseUrl === undefined
    const connection = await primaryOf(sessionOf(database.connection))
    const written = await withBar(json, (onProgress) =>
      writeBackup({
        connection,
        to,
        ...(isEmbedded && { embeddedPassword: String(database.connection.password) }),
        secretFingerprint: secretFingerprintOf(settings),
        onProgress,
        interruption: interruption.signal,
      }),
    )
    const pruned = keep ? await pruneBackups(path.resolve(to), written.about.systemId, keep) : []
    // A standby can be backed up, but the backup cannot be recorded in it.
    const isReadOnly = (
      await db.only<{ isReadOnly: boolean }>(sql`select pg_is_in_recovery() as is_read_only`)
    ).isReadOnly
    if (!isReadOnly)
      await db.transaction(async (tx) => {
        await recordBackup(tx, recordOf(written))
        await recordPruned(tx, pruned)
      })
    process.stdout.write(
      json ? `${JSON.stringify({ ...written, pruned })}\n` : describeBackup(written, pruned, settings),
    )
  } catch (error) {
    // Errors caused by an interruption were already reported.
    if (hearing.isEnding()) await new Promise(() => {})
    throw error
  } finally {
    await db.close()
    await database.stop()
    hearing.stop()
  }
}

const recordOf = ({ location, bytes, verifiedAt, about }: WrittenBackup) => ({
  startedAt: new Date(about.startedAt),
  finishedAt: new Date(about.finishedAt),
  location,
  bytes: BigInt(bytes),
  verifiedAt,
})

function describeBackup(written: WrittenBackup, pruned: string[], settings: Settings): string {
  const { location, files, bytes, databaseBytes, about } = written
  const secret =
    settings.secretKey === undefined ? `${path.resolve(settings.dataDir, 'secret.key')}` : 'SECRET_KEY'
  return [
    `Backed up to ${location}: ${files} files, ${mib(databaseBytes)} MiB, packed into ${mib(bytes)} MiB.`,
    `It includes everything committed until ${about.includesUntil}. All files were read back and verified.`,
    ...pruned.map((old) => `Removed the old backup ${old}.`),
    `Not included; store separately: ${secret}, your settings, and the files they refer to (such as PROVIDERS_FILE).`,
    '',
  ].join('\n')
}

type RestoreOptions = { from: string; check?: boolean; json?: boolean }

/** `pesewa restore`: restores a backup and verifies the books. With `check`, only verifies the backup. */
export async function restore({ from, check, json }: RestoreOptions): Promise<void> {
  await refuseFolderOfBackups(from)
  if (check) return checkBackup(from, json)
  const settings = readSettings(process.env)
  if (settings.databaseUrl !== undefined)
    throw new CommandError(
      'pesewa restore creates an embedded database, but DATABASE_URL is set. Unset it, or restore that PostgreSQL server with its own tools.',
    )
  refuseOtherSecret(await readAbout(from), settings)
  const restored = await withBar(json, (onProgress) => restoreBackup(from, settings.dataDir, onProgress))
  if (!json) process.stdout.write(describeRestore(restored, settings))
  // Starts the server, which first recovers to the end of the backup.
  const proof = await proveBooks({ isSilent: json === true }).catch((error) => {
    if (!(error instanceof MigrationError)) throw error
    throw new CommandError(`Restored, but not yet verified. ${error.message}\nThen run: pesewa verify`)
  })
  process.stdout.write(
    json ? `${JSON.stringify({ ...restored, proof })}\n` : describeProof(proof) + conclusion(proof),
  )
}

async function checkBackup(from: string, json: boolean | undefined): Promise<void> {
  const about = await readAbout(from)
  const read = await withBar(json, (onProgress) =>
    readBackup(from, undefined, (done) => onProgress({ done, total: about.databaseBytes })),
  )
  process.stdout.write(json ? `${JSON.stringify({ ...read, about })}\n` : `${describeRead(read, about)}\n`)
}

const describeRead = ({ files, databaseBytes }: ReadBackup, { includesUntil }: AboutBackup) =>
  `The backup is intact: ${files} files, ${mib(databaseBytes)} MiB, all checksums match. It includes everything committed until ${includesUntil}.`

function describeRestore(restored: ReadBackup & { about: AboutBackup }, settings: Settings): string {
  const secret = hasSecretKey(settings)
    ? ''
    : `Before you start the service, restore the secret key: SECRET_KEY, or ${path.resolve(settings.dataDir, 'secret.key')}. Sealed data cannot be verified without it.\n`
  return `${describeRead(restored, restored.about)}\nRestored to ${path.resolve(settings.dataDir)}.\n${secret}`
}

const conclusion = ({ ok }: Proof) =>
  ok ? 'Read docs/guides/backups.md before you let the service accept payments again.\n' : ''

/**
 * Refuses a folder that is not a complete backup. If the folder contains several backups, the error message
 * contains the name of the newest.
 */
async function refuseFolderOfBackups(from: string): Promise<void> {
  const backups = await backupsIn(from).catch((error) => {
    if (codeOf(error) === 'ENOENT') throw new CommandError(`${from} does not exist.`)
    throw error
  })
  const newest = backups.at(-1)
  if (newest !== undefined)
    throw new CommandError(`${from} is not itself a backup, but contains backups; the newest is ${newest}.`)
  if (path.basename(path.resolve(from)).startsWith('.partial-'))
    throw new CommandError(`${from} is an incomplete backup.`)
  await fs.access(from)
}

function refuseOtherSecret({ secretFingerprint }: AboutBackup, settings: Settings): void {
  if (secretFingerprint === null || !hasSecretKey(settings)) return
  if (secretFingerprintOf(settings) !== secretFingerprint)
    throw new CommandError(
      'The current secret key (SECRET_KEY, or secret.key in DATA_DIR) does not match this backup.',
    )
}

const secretFingerprintOf = (settings: Settings) =>
  hasSecretKey(settings) ? fingerprintOf(readSecretKey(settings)) : null

const mebibyte = 2 ** 20
const mib = (bytes: number) => (bytes / mebibyte).toLocaleString('en', { maximumFractionDigits: 1 })

type OnProgress = (progress: { done: number; total: number }) => void

/** Runs `work` and shows its progress on a terminal. */
async function withBar<T>(
  isSilent: boolean | undefined,
  work: (onProgress: OnProgress) => Promise<T>,
): Promise<T> {
  const bar = isSilent ? undefined : progressBar(process.stderr, 'MiB')
  const whole = (bytes: number) => Math.round(bytes / mebibyte)
  return work(({ done, total }) => bar?.show({ done: whole(done), total: whole(total) })).finally(() =>
    bar?.clear(),
  )
}
