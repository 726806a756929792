import type { Check } from '../platform/db/check.ts'
import type { Database, Reader, Row } from '../platform/db/database.ts'
import { type Sql, sql } from '../platform/db/sql.ts'
import { type Key, plannedAsWalk, type Walk } from '../platform/db/walk.ts'
import type { Seals } from '../platform/seals.ts'
import { isOurs } from './answer-checks.ts'

/** Every check there is. Without `seals`, the program's secret, those that need it are left out. */
export type FindChecks = (seals?: Seals) => Promise<Check[]>

export type Proof = {
  ok: boolean
  /** What was posted before was not examined. */
  since?: Date
  seconds: number
  checks: { name: string; examined: string; differences: object[] }[]
}

/** How far a proof is, in rows. `total` is an estimate, and unknown for what is new since a moment. */
export type Progress = { done: number; total: number | undefined }

type Options = {
  since?: Date
  /** The program's secret: without it stored answers are not proved. */
  seals?: Seals
  chunkSize?: number
  onProgress?: (progress: Progress) => void
  /** Ends the proof at the next chunk. */
  signal?: AbortSignal
}

const maxDifferences = 20 // limit: differences that a check names

/** Small enough that a chunk takes seconds even where every row has to come from the disk. */
const standardChunkSize = 10_000 // limit: rows of a chunk of a proof

/**
 * Proves the books from the rows, all Spaces and both environments, as of one moment: it may run beside the service.
 * Names the first differences of each check.
 */
export async function verifyBooks(
  db: Database,
  findChecks: FindChecks,
  { connections = 1, ...options }: Options & { connections?: number } = {},
): Promise<Proof> {
  let proof: Promise<(reader: Reader) => Promise<void>> | undefined
  const proving = createProving(findChecks, options)
  await db.snapshots(connections, async (reader) => {
    await reader.query(plannedAsWalk)
    proof ??= proving.begin(reader)
    await (await proof)(reader)
  })
  return proving.end()
}

/** The same as of one transaction, which must see one moment. */
export async function proveBooks(
  reader: Reader,
  findChecks: FindChecks,
  options: Options = {},
): Promise<Proof> {
  await reader.query(plannedAsWalk)
  const proving = createProving(findChecks, options)
  await (await proving.begin(reader))(reader)
  return proving.end()
}

/** One proof, which any number of connections may work at: each takes the next walk that nobody has begun. */
function createProving(findChecks: FindChecks, options: Options) {
  const startedAt = performance.now()
  let findings: Finding[] = []
  return {
    async begin(reader: Reader): Promise<(reader: Reader) => Promise<void>> {
      const { since, seals } = options
      const own = seals && (await isOurs(reader, seals)) ? seals : undefined
      findings = (await findChecks(own)).map((check) => new Finding(check))
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
      }
    },
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

/** Every walk that has to be made, with what goes along. */
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

/** What one check has found so far. Examines no further once there is enough to show. */
class Finding {
  readonly check: Check
  #examined = 0n
  readonly #differences = new Map<string, object>()

  constructor(check: Check) {
    this.check = check
  }

  async examine(reader: Reader, rows: Sql, examined: bigint): Promise<void> {
    if (this.#differences.size >= maxDifferences) return
    this.#examined += examined
    const { differences, judge } = this.check
    const first = (all: Sql) => sql`select * from (${all}) difference limit ${maxDifferences}`
    // Two chunks of what is new may lead to the same account or posting.
    for (const row of await reader.query<Row>(judge ? differences(rows) : first(differences(rows)))) {
      const difference = judge ? judge(row) : row
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
