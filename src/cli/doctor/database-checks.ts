import { lastProofInFull } from '../../books/proofs.ts'
import {
  countFailingWebhooks,
  findDatabaseState,
  findDueJobs,
  findOpenOutcomes,
  findReplicas,
  findServerSettings,
} from '../../installation/health.ts'
import { lastBackup } from '../../platform/backup/backups.ts'
import { measureDifference } from '../../platform/clock-watch.ts'
import type { Database } from '../../platform/db/database.ts'
import { checkSchema } from '../../platform/db/migrate.ts'
import { isDiskFull } from '../../platform/disk-watch.ts'
import { messageOf } from '../../platform/errors.ts'
import { listNodes } from '../../platform/nodes.ts'
import type { Settings } from '../../slices.ts'
import { durationInWords, fromNow } from '../output/time-words.ts'
import { CannotCheck, type HealthCheck, type HealthFinding, ok, problem, warning } from './checkup.ts'
import { sizeText } from './settings-checks.ts'

const hourMs = 3_600_000
const oldestBackupMs = 26 * hourMs // limit: age of the last backup above which `pesewa doctor` warns
const oldestProofMs = 26 * hourMs // limit: age of the last proof of the books above which `pesewa doctor` warns
const oldestJobMs = 5 * 60_000 // limit: how late a background job may be for `pesewa doctor`
const oldestOutcomeMs = 24 * hourMs // limit: how old an unknown outcome may be for `pesewa doctor`
const longestLagSeconds = 30 // limit: how far a standby may be behind for `pesewa doctor`
const largestDifferenceMs = 1_000 // limit: how far the clock may be from the database’s for `pesewa doctor`

/** What the database says of itself, and what stands in it. `open` is called once, for all of them. */
export function databaseChecks(open: () => Promise<Database>, settings: Settings): HealthCheck[] {
  const opening = open()
  const migrating = opening.then((db) => checkSchema(db.pool))
  // Each is reported by the check that has its name.
  for (const promise of [opening, migrating]) promise.catch(() => {})
  const database = () =>
    opening.catch(() => {
      throw new CannotCheck('needs the database')
    })
  const onServer = (work: (db: Database) => Promise<HealthFinding>) => async () => work(await database())
  const inTables = (work: (db: Database) => Promise<HealthFinding>) =>
    onServer(async (db) => {
      await migrating.catch(() => {
        throw new CannotCheck('needs the schema of this version')
      })
      return work(db)
    })
  return [
    { name: 'database', run: () => checkDatabase(opening) },
    { name: 'schema', run: onServer(() => checkMigrations(migrating)) },
    { name: 'connections', run: inTables((db) => checkConnections(db, settings.databasePoolSize)) },
    { name: 'durability', run: onServer(checkDurability) },
    { name: 'disk of the database', run: onServer(checkDatabaseDisk) },
    { name: 'standby', run: onServer(checkStandby) },
    { name: 'clock', run: onServer(checkClock) },
    { name: 'backups', run: inTables(checkBackups) },
    { name: 'nodes', run: inTables(checkNodes) },
    { name: 'jobs', run: inTables(checkJobs) },
    { name: 'outcomes', run: inTables(checkOutcomes) },
    { name: 'webhooks', run: inTables(checkWebhooks) },
    { name: 'books', run: inTables(checkBooks) },
  ]
}

const newestMajor = 18

async function checkDatabase(opening: Promise<Database>): Promise<HealthFinding> {
  try {
    const db = await opening
    const { versionNumber } = await findServerSettings(db)
    const major = Math.floor(versionNumber / 10_000)
    const says = `PostgreSQL ${major}.${versionNumber % 10_000}`
    if (major > newestMajor)
      return warning(`${says} is newer than ${newestMajor}, the newest that was tested`, 'Use 15 to 18.')
    return ok(`${says} answers`)
  } catch (error) {
    return problem(messageOf(error).replaceAll('\n', ' '))
  }
}

const checkMigrations = (migrating: Promise<void>): Promise<HealthFinding> =>
  migrating.then(
    () => ok('as this version needs it'),
    (error) => problem(messageOf(error)),
  )

/** Of a node's own, beside its pool. */
const connectionsBesidePool = 2

async function checkConnections(db: Database, poolSize: number): Promise<HealthFinding> {
  const [{ connections, sizeBytes }, { maxConnections, reservedConnections }, nodes] = await Promise.all([
    findDatabaseState(db),
    findServerSettings(db),
    listNodes(db),
  ])
  const alive = Math.max(1, nodes.filter(({ isAlive }) => isAlive).length)
  const needed = alive * (poolSize + connectionsBesidePool)
  const free = maxConnections - reservedConnections
  const says = `${connections} of ${maxConnections} in use; ${alive} ${alive === 1 ? 'node needs' : 'nodes need'} up to ${needed}; the database has ${sizeText(sizeBytes)}`
  return needed > free
    ? problem(says, `Lower DATABASE_POOL_SIZE (${poolSize}), or raise max_connections above ${needed}.`)
    : ok(says)
}

async function checkDurability(db: Database): Promise<HealthFinding> {
  const { fsync, synchronousCommit, fullPageWrites, dataChecksums } = await findServerSettings(db)
  const off = [
    ...(fsync === 'on' ? [] : ['fsync']),
    ...(synchronousCommit === 'off' ? ['synchronous_commit'] : []),
    ...(fullPageWrites === 'on' ? [] : ['full_page_writes']),
  ]
  if (off.length > 0)
    return problem(
      `${off.join(' and ')} ${off.length === 1 ? 'is' : 'are'} off: a crash loses payments that were completed`,
      `Turn ${off.length === 1 ? 'it' : 'them'} on in postgresql.conf.`,
    )
  if (dataChecksums !== 'on')
    return warning('data checksums are off: a failing disk goes unnoticed', 'pg_checksums --enable')
  return ok('a commit is on the disk, and pages have checksums')
}

async function checkDatabaseDisk(db: Database): Promise<HealthFinding> {
  return (await isDiskFull(db.pool))
    ? problem('full: PostgreSQL cannot write a megabyte', 'Free some space there, or make the disk larger.')
    : ok('PostgreSQL can write to it')
}

async function checkStandby(db: Database): Promise<HealthFinding> {
  const [{ isStandby }, replicas] = await Promise.all([findServerSettings(db), findReplicas(db)])
  if (isStandby)
    return problem(
      'this database is a standby itself, and takes no changes',
      'Set DATABASE_URL to the server it follows, or promote it.',
    )
  if (replicas.length === 0)
    return warning(
      'none: what was paid since the last backup is lost with the disk',
      'Set up streaming replication, for a database of your own.',
    )
  if (replicas.every(({ state }) => state === null))
    return warning(
      `${replicas.length}, whose state this user may not see`,
      'grant pg_monitor to the database’s user',
    )
  const behind = replicas.filter(
    ({ state, lagSeconds }) => state !== 'streaming' || (lagSeconds ?? 0) > longestLagSeconds,
  )
  const lag = Math.max(...replicas.map(({ lagSeconds }) => lagSeconds ?? 0))
  if (behind.length === 0) return ok(`${replicas.length} streaming, at most ${lag.toFixed(1)} s behind`)
  return problem(
    `${behind.map(({ name, state }) => `${name} is ${state ?? 'unknown'}`).join(', ')}, up to ${lag.toFixed(0)} s behind`,
    'See the log of the standby.',
  )
}

async function checkClock(db: Database): Promise<HealthFinding> {
  const { aheadMs, uncertaintyMs } = await measureDifference(db)
  const says = `${Math.abs(aheadMs)} ms ${aheadMs < 0 ? 'behind' : 'ahead of'} the database’s, give or take ${uncertaintyMs}`
  return Math.abs(aheadMs) > largestDifferenceMs + uncertaintyMs
    ? problem(
        says,
        'Have both machines follow a time server: a node this far off takes no changes and submits nothing.',
      )
    : ok(says)
}

async function checkBackups(db: Database): Promise<HealthFinding> {
  const backup = await lastBackup(db)
  if (!backup)
    return warning(
      'pesewa backup never ran here',
      'Run it each day: pesewa backup --to <folder>. What backs up otherwise is not seen from here.',
    )
  const now = new Date()
  const says = `${sizeText(backup.bytes)}, ${fromNow(backup.finishedAt, now)}, in ${backup.location}`
  return now.getTime() - backup.finishedAt.getTime() > oldestBackupMs
    ? warning(says, 'Run one each day: pesewa backup --to <folder>')
    : ok(says)
}

async function checkNodes(db: Database): Promise<HealthFinding> {
  const alive = (await listNodes(db)).filter(({ isAlive }) => isAlive)
  const [serving, working] = [alive.filter(({ serves }) => serves), alive.filter(({ works }) => works)]
  const says = `${serving.length} serving, ${working.length} working`
  if (alive.length === 0) return warning('none is running', 'pesewa serve --work')
  if (working.length === 0)
    return problem(`${says}: nothing is sent to providers or webhooks`, 'pesewa work, or serve --work')
  if (serving.length === 0) return warning(`${says}: nobody is answered`, 'pesewa serve')
  const versions = [...new Set(alive.map(({ version }) => version))]
  return versions.length > 1
    ? warning(`${says}, of versions ${versions.join(' and ')}`, 'Bring all nodes to one version.')
    : ok(`${says}, of version ${versions.join()}`)
}

async function checkJobs(db: Database): Promise<HealthFinding> {
  const { due, oldestAt } = await findDueJobs(db)
  if (!oldestAt) return ok('none is waiting')
  const lateMs = Date.now() - oldestAt.getTime()
  const says = `${due} ${due === 1 ? 'is' : 'are'} waiting, the oldest for ${durationInWords(lateMs)}`
  return lateMs > oldestJobMs
    ? problem(says, 'Run more nodes with pesewa work, or see their logs.')
    : ok(says)
}

async function checkOutcomes(db: Database): Promise<HealthFinding> {
  // Test clocks are anywhere.
  const open = (await findOpenOutcomes(db)).filter(({ environment }) => environment === 'live')
  const now = new Date()
  const old = open.filter(({ oldestAt }) => now.getTime() - oldestAt.getTime() > oldestOutcomeMs)
  if (old.length > 0)
    return problem(
      old
        .map(
          ({ ownerType, providerId, oldestAt }) =>
            `a ${ownerType} by ${providerId} has none since ${fromNow(oldestAt, now)}`,
        )
        .join(', '),
      `Ask the provider, then: pesewa ${old[0]?.ownerType}s list --unknown`,
    )
  const count = open.reduce((sum, one) => sum + one.count, 0)
  return ok(`${count} open in live, none for more than a day`)
}

async function checkWebhooks(db: Database): Promise<HealthFinding> {
  const { failing, disabled } = await countFailingWebhooks(db)
  return failing + disabled > 0
    ? warning(
        `${failing} fail, ${disabled} were disabled for it`,
        'Tell the merchants, who see it in their console.',
      )
    : ok('all are delivered')
}

async function checkBooks(db: Database): Promise<HealthFinding> {
  const proof = await lastProofInFull(db)
  if (!proof) return warning('never proved', 'pesewa verify')
  const now = new Date()
  const when = fromNow(proof.endedAt, now)
  if (!proof.isOk) {
    const failed = proof.checks.filter(({ differences }) => differences > 0).map(({ name }) => name)
    return problem(
      `they did not add up ${when}: ${failed.join(', ')}`,
      'pesewa verify, and docs/guides/books.md',
    )
  }
  return now.getTime() - proof.endedAt.getTime() > oldestProofMs
    ? warning(`proved ${when}`, 'A node that works proves them each night; or run pesewa verify.')
    : ok(`proved ${when}`)
}
