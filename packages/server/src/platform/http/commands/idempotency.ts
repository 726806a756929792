import { hash } from 'node:crypto'
import { codeOf, fieldsOf, must } from '@pesewa/values'
import type { Outcome } from '../../batches.ts'
import { bytea, orNull, text, time, uuid } from '../../db/columns.ts'
import type { AnyTx, Bounds, Database, DatabaseOf, Reader, Tx } from '../../db/database.ts'
import { violatedConstraint } from '../../db/failures.ts'
import { selectEach } from '../../db/lookups.ts'
import { globalName, type Scoped } from '../../db/scoped.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { table } from '../../db/table.ts'
import { unnestScoped } from '../../db/unnest.ts'
import { Refusal } from '../../refusals.ts'
import type { Scope } from '../../scope.ts'
import type { Seals } from '../../seals.ts'
import type { Vault } from '../../vault.ts'
import { canonicalJson, exactJson } from './json.ts'

/** A request with its idempotency key. `fingerprint` must be the same for all requests that share the key. */
export type Keyed = Scoped<{ key: string; fingerprint: Buffer }>
export type KeyedResponse = { text: string; replay: boolean }

const keys = table(
  'idempotency_keys',
  ['key'],
  {
    key: text,
    fingerprint: bytea,
    /** The whole response. If it is null, the result is the data of the event that the row references. */
    answer: orNull(text),
    eventId: orNull(uuid),
    seal: orNull(text),
  },
  { createdAt: time },
)
const newKeys = keys.without('answer', 'eventId', 'seal')
const answeredKeys = keys.without('eventId')
const keysOfEvents = keys.without('answer', 'seal')

/** Wraps a result's JSON in the API's response envelope. */
export const envelope = (result: string) => `{"success":true,"messages":[],"result":${result}}`

/** Returns the result in a response envelope. */
export const resultIn = (response: string): unknown => fieldsOf(exactJson(response)).result

/** Returns the SHA-256 of the method, path and canonical body. */
export const fingerprintOf = (method: string, path: string, body: unknown): Buffer =>
  hash('sha256', `${method}\n${path}\n${canonicalJson(body)}`, 'buffer')

/** `eventData` is SQL for the data of the event that the row of a key references. */
export type StoredResponses<T extends AnyTx = Tx> = { db: DatabaseOf<T>; seals: Seals; eventData: Sql }

/**
 * Runs a command once per idempotency key. The key's row, the work and the response are committed in one
 * transaction, so the key remains free after a refusal or a crash. A concurrent request with the same key waits
 * for the row until the first request has finished. With a `vault`, the response is stored encrypted, because
 * it contains a secret.
 */
export function runOnce<T extends AnyTx>(
  { db, seals, eventData }: StoredResponses<T>,
  request: Keyed,
  work: (tx: T) => Promise<string>,
  vault?: Vault,
): Promise<KeyedResponse> {
  const { scope } = request
  const place = `answer ${scope.spaceId} ${scope.environment} ${request.key}`
  return db.transaction(async (tx) => {
    const taken = (await claimKeys(tx, [request], eventData)).get(keyName(request))
    if (taken) {
      const replay = replayOf(taken, request)
      if (!vault) return replay
      return { ...replay, text: vault.unlock(place, Buffer.from(replay.text, 'base64')).toString() }
    }
    const text = await work(tx)
    const stored = vault ? vault.lock(place, Buffer.from(text)).toString('base64') : text
    await saveResponses(tx, seals, [{ ...request, text: stored }])
    return { text, replay: false }
  })
}

/**
 * Like `runOnce`, for many commands together, each with its own key and from any Space. `work` receives the
 * requests with new keys and returns an outcome for each. The keys of refused requests remain free.
 */
export function runEachOnce<Request extends Keyed>(
  { db, seals, eventData }: StoredResponses,
  requests: Request[],
  work: (tx: Tx, requests: Request[]) => Promise<Outcome<string>[]>,
  bounds: Bounds,
): Promise<Outcome<KeyedResponse>[]> {
  return db.transaction(async (tx) => {
    const taken = await claimKeys(tx, requests, eventData)
    const fresh = requests.filter((request) => !taken.has(keyName(request)))
    const outcomes = fresh.length > 0 ? await work(tx, fresh) : []
    const carriedOut = fresh.map((request, i) => ({ request, outcome: must(outcomes[i], 'outcome') }))
    const outcomeOf = new Map(carriedOut.map(({ request, outcome }) => [request, outcome]))
    const done = carriedOut.flatMap(({ request, outcome }) =>
      'answer' in outcome ? [{ ...request, text: outcome.answer }] : [],
    )
    const refused = carriedOut.flatMap(({ request, outcome }) => ('error' in outcome ? [request] : []))
    await saveResponses(tx, seals, done)
    if (refused.length > 0) await freeKeys(tx, refused)
    return requests.map((request) => {
      const outcome = outcomeOf.get(request)
      if (outcome) return 'answer' in outcome ? { answer: { text: outcome.answer, replay: false } } : outcome
      try {
        return { answer: replayOf(must(taken.get(keyName(request)), 'row of an idempotency key'), request) }
      } catch (error) {
        return { error }
      }
    })
  }, bounds)
}

/**
 * Returns a part of a larger statement. This part claims keys, and stores with each key the event whose data is
 * the result. If any key is already taken, the whole statement fails (see `readKeyFailure`). The rows are
 * ordered by Space and key, so that two such statements cannot deadlock. The condition `first`, which must be
 * true, is evaluated before any key is claimed.
 */
export const insertKeysOfEvents = (requests: Keyed[], eventIds: string[], first: Sql): Sql => sql`
  ${keysOfEvents.insert(requests.map((request, i) => ({ ...request, eventId: must(eventIds[i], 'event of a request') })))}
  where ${first}
  ${inKeyOrder}
  returning 1`

/** Like `insertKeysOfEvents`, for results that no event contains. The rows store the responses. */
export const insertKeysWithResults = (
  seals: Seals,
  requests: Keyed[],
  results: string[],
  first: Sql,
): Sql => {
  const responses = requests.map((request, i) => ({
    ...request,
    text: envelope(must(results[i], 'result of a request')),
  }))
  return sql`${answeredKeys.insert(responses.map((one) => sealed(seals, one)))} where ${first} ${inKeyOrder} returning 1`
}

const inKeyOrder = sql`order by space_id, environment, key collate "C"`

/**
 * Finds out why a statement with `insertKeysOfEvents` failed. If keys were already taken, returns the requests
 * with these keys. If it failed for another reason, for example because another transaction held a key for too
 * long, throws the error that the client receives.
 */
export async function readKeyFailure<Request extends Keyed>(
  db: Reader,
  error: unknown,
  requests: Request[],
): Promise<Set<Request>> {
  if (violatedConstraint(error) === keysConstraint) {
    const taken = await selectTaken(db, requests)
    return new Set(requests.filter((request) => taken.has(keyName(request))))
  }
  const isKeyHeld = codeOf(error) === '55P03' && /idempotency_keys/.test(String(fieldsOf(error).where))
  throw isKeyHeld ? whenInProgress(requests) : error
}

export const keysConstraint = 'idempotency_keys_pkey'

/** Returns a name that identifies a key across all Spaces. */
export const keyName = ({ scope, key }: Scoped<{ key: string }>) => globalName(scope, key)

const byKey = unnestScoped({ key: text })

/** Returns the names of the keys that are already taken. */
export async function selectTaken(db: Reader, requests: Keyed[]): Promise<Set<string>> {
  const taken = sql`
    select key from idempotency_keys
    where space_id = requested.space_id and environment = requested.environment and key = requested.key`
  return new Set((await selectEach<{ key: string }>(db, byKey(requests), taken)).map(keyName))
}

/** The row of a key. `answer` is the whole response; if it is null, `result` is the JSON inside the response. */
type KeyRow = { key: string; fingerprint: Buffer; answer: string | null; result: string | null }

/** Claims the keys that are free, and returns the rows of those that are already taken, by name. */
async function claimKeys(tx: AnyTx, requests: Keyed[], eventData: Sql): Promise<Map<string, Scoped<KeyRow>>> {
  let count: number
  try {
    // If another transaction has inserted one of the keys but has not ended yet, this statement waits for it,
    // up to the lock timeout.
    count = await tx.run(sql`
      ${newKeys.insert(requests)}
      ${inKeyOrder}
      on conflict (space_id, environment, key) do nothing`)
  } catch (error) {
    throw codeOf(error) === '55P03' ? whenInProgress(requests) : error
  }
  if (count === requests.length) return new Map()
  // The keys claimed here have no response yet, but the committed key of another request always has one.
  const known = await selectEach<KeyRow>(
    tx,
    byKey(requests),
    sql`
      select key, fingerprint, answer, ${eventData} as result from idempotency_keys k
      where space_id = requested.space_id and environment = requested.environment and key = requested.key
        and (answer is not null or event_id is not null)`,
  )
  if (count + known.length !== requests.length) throw whenInProgress(requests)
  return new Map(known.map((row) => [keyName(row), row]))
}

/**
 * Returns the error for requests whose key is in use. For a batch, this is a plain error, so that the requests
 * are retried one by one, because perhaps only one of the keys is in use.
 */
const whenInProgress = (requests: Keyed[]) =>
  requests.length === 1
    ? inProgress()
    : new Error('another transaction is using one of these idempotency keys')

const inProgress = () => new Refusal('idempotency_key_in_progress', { headers: { 'retry-after': '1' } })

function replayOf(row: KeyRow, request: Keyed): KeyedResponse {
  if (!row.fingerprint.equals(request.fingerprint)) throw new Refusal('idempotency_key_in_use')
  return { text: row.answer ?? envelope(must(row.result, 'event of an idempotency key')), replay: true }
}

const update = keys.update('answer', 'seal')

type Response = Keyed & { text: string }

const saveResponses = (tx: AnyTx, seals: Seals, responses: Response[]) =>
  tx.run(update(responses.map((one) => sealed(seals, one))))

const sealed = (seals: Seals, response: Response) => ({
  ...response,
  answer: response.text,
  seal: responseSeal(seals, response.scope, response),
})

/**
 * Returns the seal that authenticates a stored response together with its key. It begins with a prefix that
 * identifies the secret key.
 */
export const responseSeal = (
  seals: Seals,
  { spaceId, environment }: Scope,
  { key, fingerprint, text }: Omit<Keyed, 'scope'> & { text: string },
) =>
  secretOf(seals) +
  seals.tag('answer', `${spaceId} ${environment} ${fingerprint.toString('hex')} ${key.length} ${key} ${text}`)

/** Returns the prefix that all response seals made with this secret key share. */
export const secretOf = (seals: Seals) => seals.tag('answer', '').slice(0, 8)

async function freeKeys(tx: Tx, refused: Keyed[]) {
  await tx.run(sql`
    delete from idempotency_keys k using ${byKey(refused)}
    where k.space_id = requested.space_id and k.environment = requested.environment and k.key = requested.key`)
}

const forgetAtOnce = 10_000

/**
 * Deletes keys that are older than the retention period. It works in chunks, so that no statement holds its
 * locks for long.
 */
export async function deleteOldKeys(db: Database, retentionMs: number): Promise<void> {
  let forgotten: number
  do {
    // every space: the retention is one setting for all Spaces
    forgotten = await db.transaction((tx) =>
      tx.run(sql`
        delete from idempotency_keys where (space_id, environment, key) in (
          select space_id, environment, key from idempotency_keys
          where created_at < now() - ${retentionMs}::bigint * interval '1 millisecond'
          order by created_at limit ${forgetAtOnce})`),
    )
  } while (forgotten === forgetAtOnce)
}
