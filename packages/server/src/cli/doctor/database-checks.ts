import { messageOf } from '@pesewa/values'
import { lastProofInFull } from '../../finance/books/proofs.ts'
import { describeKeys } from '../../operations/data-keys/keys.ts'
import {
  countFailingWebhooks,
  hasLiveTokens,
  type Replica,
  type ServerSettings,
  selectDatabaseState,
  selectDueJobs,
  selectOpenOutcomes,
  selectReplicas,
  selectServerSettings,
} from '../../operations/installation/health-store.ts'
import { measureDifference } from '../../platform/clock-watch.ts'
import { lastBackup } from '../../platform/db/backups.ts'
import { connectionsOf, type Database } from '../../platform/db/database.ts'
import { checkSchema } from '../../platform/db/migrate.ts'
import { isDiskFull } from '../../platform/disk-watch.ts'
import { listNodes } from '../../platform/nodes.ts'
import type { Settings } from '../../slices.ts'
import { durationInWords, fromNow } from '../output/time-words.ts'
import { type HealthCheck, type HealthFinding, need, ok, problem, warning } from './checkup.ts'
import { sizeText } from './settings-checks.ts'

const hourMs = 3_600_000
const oldestBackupMs = 26 * hourMs // age of the last backup above which `pesewa doctor` warns
const oldestProofMs = 26 * hourMs // time since the last verification of the books after which `pesewa doctor` warns
const oldestJobMs = 5 * 60_000 // delay of a background job above which `pesewa doctor` reports a problem
const oldestOutcomeMs = 24 * hourMs // age of an unknown outcome above which `pesewa doctor` reports a problem
const longestLagSeconds = 30 // lag of a standby above which `pesewa doctor` warns
const largestLagBytes = 64 * 2 ** 20 // lag of a replica above which `pesewa doctor` warns
const largestDifferenceMs = 1_000 // clock difference from the database above which `pesewa doctor` reports a problem

/**
 * Returns the checks of the database server and its contents. All of them share the database that one call of
 * `open` returns.
 */
export function databaseChecks(open: () => Promise<Database>, settings: Settings): HealthCheck[] {
  const opening = open()
  const migrating = opening.then((db) => checkSchema(db.pool))
  // These errors are reported by the checks "database" and "schema".
  for (const promise of [opening, migrating]) promise.catch(() => {})
  const onServer = (work: (db: Database) => Promise<HealthFinding>) => async () =>
    work(await need(opening, 'the database'))
  const inTables = (work: (db: Database) => Promise<HealthFinding>) =>
    onServer(async (db) => {
      await need(migrating, 'this version’s schema')
      return work(db)
    })
  return [
    { name: 'database', run: () => checkDatabase(opening) },
    { name: 'schema', run: onServer(() => checkMigrations(migrating)) },
    { name: 'connections', run: inTables((db) => checkConnections(db, settings)) },
    { name: 'durability', run: onServer(checkDurability) },
    { name: 'database disk', run: onServer(checkDatabaseDisk) },
    {
      name: 'standby',
      run: onServer(async (db) => {
        const hasTokens = () => migrating.then(() => hasLiveTokens(db)).catch(() => false)
        return checkStandby(db, settings.providersFile !== undefined || (await hasTokens()))
      }),
    },
    { name: 'replicas', run: onServer(checkReplicas) },
    { name: 'clock', run: onServer(checkClock) },
    { name: 'backups', run: inTables(checkBackups) },
    { name: 'encryption', run: inTables(checkEncryption) },
    { name: 'nodes', run: inTables(checkNodes) },
    { name: 'jobs', run: inTables(checkJobs) },
    { name: 'outcomes', run: inTables(checkOutcomes) },
    { name: 'webhooks', run: inTables(checkWebhooks) },
    { name: 'books', run: inTables(checkBooks) },
  ]
}

async function checkEncryption(db: Database): Promise<HealthFinding> {
  const { encryption, reencryption } = await describeKeys(db)
  if (encryption === 'off')
    return warning(
      'numbers and names of payers and payees are stored as plain text',
      'When all nodes have been upgraded, run pesewa keys encrypt.',
    )
  if (reencryption && !reencryption.endTime)
    return ok(
      `existing data is being encrypted: ${reencryption.rowsDone} of about ${reencryption.rowsEstimated} rows`,
    )
  return ok('numbers and names of payers and payees are encrypted')
}

const newestMajor = 18

async function checkDatabase(opening: Promise<Database>): Promise<HealthFinding> {
  try {
    const db = await opening
    const { versionNumber } = await selectServerSettings(db)
    const major = Math.floor(versionNumber / 10_000)
    const says = `PostgreSQL ${major}.${versionNumber % 10_000}`
    if (major > newestMajor)
      return warning(`${says} is newer than ${newestMajor}, the newest tested version`, 'Use 15 to 18.')
    return ok(`${says} is responding`)
  } catch (error) {
    return problem(messageOf(error).replaceAll('\n', ' '))
  }
}

const checkMigrations = (migrating: Promise<void>): Promise<HealthFinding> =>
  migrating.then(
    () => ok('up to date'),
    (error) => problem(messageOf(error)),
  )

async function checkConnections(db: Database, settings: Settings): Promise<HealthFinding> {
  const [{ connections, sizeBytes }, { maxConnections, reservedConnections }, nodes] = await Promise.all([
    selectDatabaseState(db),
    selectServerSettings(db),
    listNodes(db),
  ])
  const alive = Math.max(1, nodes.filter(({ isAlive }) => isAlive).length)
  const needed = alive * connectionsOf(settings)
  const free = maxConnections - reservedConnections
  const says = `${connections} of ${maxConnections} in use; ${alive} ${alive === 1 ? 'node needs' : 'nodes need'} up to ${needed}; the database size is ${sizeText(sizeBytes)}`
  return needed > free
    ? problem(
        says,
        `Lower DATABASE_POOL_SIZE (${settings.databasePoolSize}) or raise max_connections above ${needed}.`,
      )
    : ok(says)
}

async function checkDurability(db: Database): Promise<HealthFinding> {
  const { fsync, synchronousCommit, fullPageWrites, dataChecksums } = await selectServerSettings(db)
  const off = [
    ...(fsync === 'on' ? [] : ['fsync']),
    ...(synchronousCommit === 'off' ? ['synchronous_commit'] : []),
    ...(fullPageWrites === 'on' ? [] : ['full_page_writes']),
  ]
  if (off.length > 0)
    return problem(
      `${off.join(' and ')} ${off.length === 1 ? 'is' : 'are'} off: a crash can lose completed payments`,
      `Turn ${off.length === 1 ? 'it' : 'them'} on in postgresql.conf.`,
    )
  if (dataChecksums !== 'on')
    return warning('data checksums are off: disk corruption goes undetected', 'pg_checksums --enable')
  return ok('commits are flushed to disk, and data checksums are on')
}

async function checkDatabaseDisk(db: Database): Promise<HealthFinding> {
  return (await isDiskFull(db.pool))
    ? problem('full: PostgreSQL cannot write a megabyte', 'Free disk space or enlarge the disk.')
    : ok('PostgreSQL can write to it')
}

/** `isLive` is whether real money moves. Then no failover may lose a commit that has been confirmed. */
async function checkStandby(db: Database, isLive: boolean): Promise<HealthFinding> {
  const [server, replicas] = await Promise.all([selectServerSettings(db), selectReplicas(db)])
  if (server.isStandby)
    return problem(
      'this database is a read-only standby',
      'Set DATABASE_URL to the primary, or promote this standby.',
    )
  if (replicas.length === 0)
    return warning(
      server.synchronousStandbyNames === ''
        ? 'none: if the disk fails, payments since the last backup are lost'
        : 'none is connected, and commits wait for one',
      'Set up a synchronous standby: see docs/guides/high-availability.md.',
    )
  if (replicas.every(({ state }) => state === null))
    return warning(
      `${replicas.length} connected, but this user has no permission to see their state`,
      'Grant pg_monitor to the database user.',
    )
  const says = replicas.map(standbyInWords).join(', ')
  if (
    replicas.some(({ state, lagSeconds }) => state !== 'streaming' || (lagSeconds ?? 0) > longestLagSeconds)
  )
    return problem(says, 'Check the standby’s log.')
  const reason = reasonToLoseCommits(server, replicas)
  return isLive && reason
    ? warning(
        `${says}: ${reason}, so a failover can lose payments that have been confirmed`,
        'Set synchronous_standby_names and synchronous_commit: see docs/guides/high-availability.md.',
      )
    : ok(says)
}

const standbyInWords = ({ name, state, isSynchronous, lagSeconds }: Replica): string => {
  const lag = lagSeconds === null ? 'lag unknown' : `${lagSeconds.toFixed(1)} s behind`
  return `${name} is ${state ?? 'unknown'} (${isSynchronous ? 'synchronous' : 'asynchronous'}, ${lag})`
}

/** Returns why a confirmed commit may be missing on every standby, or `undefined` if it cannot be. */
function reasonToLoseCommits(
  { synchronousCommit, synchronousStandbyNames }: ServerSettings,
  replicas: Replica[],
): string | undefined {
  if (synchronousStandbyNames === '') return 'synchronous_standby_names is empty'
  if (synchronousCommit === 'off' || synchronousCommit === 'local')
    return `synchronous_commit is ${synchronousCommit}`
  return replicas.some(({ isSynchronous }) => isSynchronous) ? undefined : 'none is synchronous'
}

async function checkReplicas({ replicas }: Database): Promise<HealthFinding> {
  const states = await replicas?.states()
  if (!states) return ok('DATABASE_READ_URL is not set; the primary answers all reads')
  const faulty = states.filter(({ lagBytes }) => lagBytes === undefined)
  if (faulty.length > 0)
    return problem(
      faulty.map(({ name, problem }) => `${name}: ${problem}`).join(', '),
      'Until that is resolved, other replicas or the primary answer its reads.',
    )
  const lag = states
    .map(({ name, lagBytes }) => `${name} is ${sizeText(BigInt(lagBytes ?? 0))} behind`)
    .join(', ')
  return states.some(({ lagBytes = 0 }) => lagBytes > largestLagBytes)
    ? warning(lag, 'Check the load of the replica, and long queries on it.')
    : ok(lag)
}

async function checkClock(db: Database): Promise<HealthFinding> {
  const { aheadMs, uncertaintyMs } = await measureDifference(db)
  const says = `${Math.abs(aheadMs)} ms ${aheadMs < 0 ? 'behind' : 'ahead of'} the database (± ${uncertaintyMs} ms)`
  return Math.abs(aheadMs) > largestDifferenceMs + uncertaintyMs
    ? problem(
        says,
        'Synchronize both machines with NTP. Until then, this node accepts no changes and sends nothing to providers.',
      )
    : ok(says)
}

async function checkBackups(db: Database): Promise<HealthFinding> {
  const backup = await lastBackup(db)
  if (!backup)
    return warning(
      'pesewa backup has never run here',
      'Run it daily: pesewa backup --to <folder>. Backups made by other tools are not detected.',
    )
  const now = new Date()
  const says = `${sizeText(backup.bytes)}, ${fromNow(backup.finishedAt, now)}, in ${backup.location}`
  return now.getTime() - backup.finishedAt.getTime() > oldestBackupMs
    ? warning(says, 'Run one daily: pesewa backup --to <folder>')
    : ok(says)
}

async function checkNodes(db: Database): Promise<HealthFinding> {
  const alive = (await listNodes(db)).filter(({ isAlive }) => isAlive)
  const [serving, working] = [alive.filter(({ serves }) => serves), alive.filter(({ works }) => works)]
  const says = `${serving.length} serving requests, ${working.length} running jobs`
  if (alive.length === 0) return warning('none is running', 'pesewa serve --work')
  if (working.length === 0)
    return problem(`${says}: nothing is sent to providers or webhooks`, 'pesewa work, or serve --work')
  if (serving.length === 0) return warning(`${says}: no requests are answered`, 'pesewa serve')
  const versions = [...new Set(alive.map(({ version }) => version))]
  return versions.length > 1
    ? warning(`${says}; versions differ: ${versions.join(' and ')}`, 'Upgrade all nodes to the same version.')
    : ok(`${says}; version ${versions.join()}`)
}

async function checkJobs(db: Database): Promise<HealthFinding> {
  const { due, oldestAt } = await selectDueJobs(db)
  if (!oldestAt) return ok('no overdue jobs')
  const lateMs = Date.now() - oldestAt.getTime()
  const says = `${due} ${due === 1 ? 'job is' : 'jobs are'} overdue, the oldest by ${durationInWords(lateMs)}`
  return lateMs > oldestJobMs
    ? problem(says, 'Run more nodes with pesewa work, or check their logs.')
    : ok(says)
}

async function checkOutcomes(db: Database): Promise<HealthFinding> {
  // Excludes the test environment, because test clocks can show any time.
  const open = (await selectOpenOutcomes(db)).filter(({ environment }) => environment === 'live')
  const now = new Date()
  const old = open.filter(({ oldestAt }) => now.getTime() - oldestAt.getTime() > oldestOutcomeMs)
  if (old.length > 0)
    return problem(
      old
        .map(
          ({ ownerType, providerId, oldestAt }) =>
            `the oldest ${ownerType} with an unknown outcome at ${providerId} was sent ${fromNow(oldestAt, now)}`,
        )
        .join(', '),
      `Ask the provider, then run: pesewa ${old[0]?.ownerType}s list --unknown`,
    )
  const count = open.reduce((sum, one) => sum + one.count, 0)
  return ok(`${count} not yet known in the live environment, none for more than a day`)
}

async function checkWebhooks(db: Database): Promise<HealthFinding> {
  const { failing, disabled } = await countFailingWebhooks(db)
  return failing + disabled > 0
    ? warning(
        `${failing} failing, ${disabled} disabled after failures`,
        'Inform the merchants; their console shows the failures.',
      )
    : ok('no webhook is failing')
}

async function checkBooks(db: Database): Promise<HealthFinding> {
  const proof = await lastProofInFull(db)
  if (!proof) return warning('never verified', 'pesewa verify')
  const now = new Date()
  const when = fromNow(proof.endedAt, now)
  if (!proof.isOk) {
    const failed = proof.checks.filter(({ differences }) => differences > 0).map(({ name }) => name)
    return problem(
      `the books did not balance ${when}: ${failed.join(', ')}`,
      'Run pesewa verify and see docs/guides/books.md.',
    )
  }
  return now.getTime() - proof.endedAt.getTime() > oldestProofMs
    ? warning(`last verified ${when}`, 'Run pesewa verify. Nodes that run jobs verify the books nightly.')
    : ok(`verified ${when}`)
}
