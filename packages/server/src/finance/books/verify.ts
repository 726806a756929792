import { must } from '@pesewa/values'
import type { Check } from '../../platform/db/check.ts'
import type { Database, Reader, Row } from '../../platform/db/database.ts'
import type { Encryption } from '../../platform/db/encryption.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { type Key, type Walk, walkPlannerSettings } from '../../platform/db/walk.ts'
import { MasterKeyError } from '../../platform/encryption/open-keyring.ts'
import type { Seals } from '../../platform/seals.ts'
import { hasOurSeals } from './response-checks.ts'

/**
 * Returns all checks. `seals` is the program's secret; if it is omitted, only the checks that do not need it
 * are returned.
 */
export type FindChecks = (seals?: Seals) => Promise<Check[]>

export type Proof = {
  ok: boolean
  /** Rows posted before this time were not examined. */
  since?: Date
  seconds: number
  checks: { name: string; examined: string; differences: object[] }[]
  /** Checks that were skipped because the keys of personal data are not available. */
  skipped?: string[]
}

/** The progress of a proof, in rows. `total` is an estimate; it is `undefined` if only new rows are proved. */
export type Progress = { done: number; total: number | undefined }

type Options = {
  since?: Date
  /** The program's secret. Without it, stored responses are not checked. */
  seals?: Seals
  /** The keys of personal data. Without them, the checks that decrypt are skipped. */
  encryption?: Encryption | undefined
  chunkSize?: number
  onProgress?: (progress: Progress) => void
  /** Stops the proof at the next chunk. */
  signal?: AbortSignal
}

const maxDifferences = 20 // differences reported per check

/** Small enough that a chunk takes only seconds, even if every row is read from disk. */
const standardChunkSize = 10_000 // rows in a chunk of a proof

/**
 * Proves the books of all Spaces and environments from their rows, as of one moment. It can run alongside the
 * service. Reports the first differences that each check finds.
 */
export async function verifyBooks(
  db: Database,
  findChecks: FindChecks,
  { connections = 1, ...given }: Options & { connections?: number } = {},
): Promise<Proof> {
  const options = { ...given, encryption: await readKeys(db.encryption) }
  let proving: ReturnType<typeof createProofRun> | undefined
  const prove = () => {
    const run = createProofRun(findChecks, options)
    proving = run
    let proof: Promise<(reader: Reader) => Promise<void>> | undefined
    return async (reader: Reader) => {
      await reader.query(walkPlannerSettings)
      proof ??= run.begin(reader)
      await (await proof)(reader)
    }
  }
  await db.fromReplicas(() => db.snapshots(connections, prove))
  return must(proving, 'proof').end()
}

/** Proves the books within one transaction, which must be based on a single snapshot. */
export async function proveBooks(
  reader: Reader,
  findChecks: FindChecks,
  options: Options = {},
): Promise<Proof> {
  await reader.query(walkPlannerSettings)
  const proving = createProofRun(findChecks, options)
  await (await proving.begin(reader))(reader)
  return proving.end()
}

/**
 * Creates a proof that any number of connections can share. Each connection takes the next walk that has not
 * started.
 */
function createProofRun(findChecks: FindChecks, options: Options) {
  const startedAt = performance.now()
  let findings: Finding[] = []
  let skipped: string[] = []
  return {
    async begin(reader: Reader): Promise<(reader: Reader) => Promise<void>> {
      const { since, seals } = options
      const own = seals && (await hasOurSeals(reader, seals)) ? seals : undefined
      const checks = await findChecks(own)
      const isSkipped = ({ needsKeys }: Check) => needsKeys === true && !options.encryption
      skipped = checks.filter(isSkipped).map(({ name }) => name)
      findings = checks
        .filter((check) => !isSkipped(check))
        .map((check) => new Finding(check, options.encryption))
      const walks = walksOf(findings, since)
      const progress = await progressOf(reader, [...walks.keys()], options)
      const left = [...walks]
      return async (reader) => {
        for (let next = left.shift(); next; next = left.shift())
          await walkAlong(reader, next, options, progress)
      }
    },
    end(): Proof {
      const checks = findings.map((finding) => finding.result())
      return {
        ok: checks.every(({ differences }) => differences.length === 0),
        ...(options.since && { since: options.since }),
        seconds: Math.round(performance.now() - startedAt) / 1000,
        checks,
        ...(skipped.length > 0 && { skipped }),
      }
    },
  }
}

/** Returns the keys of personal data, or `undefined` if the master key is not available. */
async function readKeys(encryption: Encryption | undefined): Promise<Encryption | undefined> {
  try {
    await encryption?.load([])
    return encryption
  } catch (error) {
    if (error instanceof MasterKeyError) return undefined
    throw error
  }
}

async function walkAlong(
  reader: Reader,
  [walk, findings]: [Walk, Finding[]],
  options: Options,
  progress: (rows: number) => void,
): Promise<void> {
  for await (const rows of chunksOf(reader, walk, options)) {
    const examined = (await reader.only<{ count: bigint }>(sql`select count(*) from ${rows} walked`)).count
    for (const finding of findings) await finding.examine(reader, rows, examined)
    progress(Number(examined))
  }
}

/** Returns all walks that are needed, each with the checks that use it. */
function walksOf(findings: Finding[], at: Date | undefined): Map<Walk, Finding[]> {
  const walks = new Map<Walk, Finding[]>()
  for (const [subject, about] of Map.groupBy(findings, ({ check }) => check.about))
    for (const walk of at ? subject.since(at) : subject.all)
      walks.set(walk, [...(walks.get(walk) ?? []), ...about])
  return walks
}

async function* chunksOf(reader: Reader, walk: Walk, { signal, ...options }: Options) {
  const chunkSize = Math.ceil((options.chunkSize ?? standardChunkSize) / (walk.cost ?? 1))
  for (let after: Key | undefined, end: Key | undefined; ; after = end) {
    signal?.throwIfAborted()
    const last = await reader.one<Row>(walk.end(after, chunkSize))
    end = last && Object.values(last)
    yield walk.rows(after, end, chunkSize)
    if (!end) return
  }
}

/**
 * The findings of one check so far. The check stops examining rows once it has found enough differences to
 * report.
 */
class Finding {
  readonly check: Check
  readonly #encryption: Encryption | undefined
  #examined = 0n
  readonly #differences = new Map<string, object>()

  constructor(check: Check, encryption: Encryption | undefined) {
    this.check = check
    this.#encryption = encryption
  }

  async examine(reader: Reader, rows: Sql, examined: bigint): Promise<void> {
    if (this.#differences.size >= maxDifferences) return
    this.#examined += examined
    const { differences, describeViolation } = this.check
    const first = (all: Sql) => sql`select * from (${all}) difference limit ${maxDifferences}`
    // Rows in two chunks may refer to the same account or the same posting.
    for (const row of await reader.query<Row>(
      describeViolation ? differences(rows) : first(differences(rows)),
    )) {
      const difference = describeViolation ? describeViolation(row, this.#encryption) : row
      if (difference) this.#differences.set(JSON.stringify(difference), difference)
    }
  }

  result() {
    return {
      name: this.check.name,
      examined: String(this.#examined),
      differences: [...this.#differences.values()].slice(0, maxDifferences),
    }
  }
}

async function progressOf(
  reader: Reader,
  walks: Walk[],
  { onProgress }: Options,
): Promise<(rows: number) => void> {
  if (!onProgress) return () => {}
  let total: number | undefined = 0
  for (const { size } of walks) {
    const estimate: { rows: bigint } | undefined = size && (await reader.one<{ rows: bigint }>(size))
    total = estimate && total !== undefined ? total + Number(estimate.rows) : undefined
  }
  let done = 0
  return (rows) => {
    done += rows
    onProgress({ done, total })
  }
}
