import type { Scoped } from '../../platform/db/scoped.ts'
import type { ApiExchange } from '../../platform/http/admission/exchange.ts'
import type { Platform } from '../../platform/platform.ts'
import { mask, maskedBody, maskedText } from './masking.ts'
import { unloggedRequests } from './metrics.ts'
import { dayOf, isKept, makePartitions, startOfDay } from './partitions.ts'
import { insertRequests, type LoggedRequest } from './store.ts'

const writeEveryMs = 1_000
const maxBuffered = 4_000
const maxBufferedPerSpace = 1_000
const maxLoggedPerSpaceAndDay = 500_000
const maxPathLength = 500 // characters of a path kept in the request log
const lockTimeoutMs = 1_000

export type RequestLog = { record(exchange: ApiExchange): void; stop(): Promise<void> }

/**
 * Buffers API requests and writes them to the log once a second, so that no request waits for the log. Requests
 * that exceed the limits, or that the database rejects, are counted and dropped. Uses wall-clock time, because
 * the log is about the node and not about a Space.
 */
export function openRequestLog({ db, log, metrics }: Pick<Platform, 'db' | 'log' | 'metrics'>): RequestLog {
  const unlogged = unloggedRequests(metrics)
  let waiting: Scoped<LoggedRequest>[] = []
  let waitingOf = new Map<string, number>()
  const ofDay = createDailyCounter()
  let made = new Set<string>()
  let writing: Promise<void> | undefined

  const record = (exchange: ApiExchange) => {
    if (isConsoleRead(exchange)) return
    const { spaceId } = exchange.scope
    const ofSpace = waitingOf.get(spaceId) ?? 0
    if (waiting.length >= maxBuffered) return unlogged.inc({ why: 'many' })
    if (ofSpace >= maxBufferedPerSpace || !ofDay.take(spaceId, new Date()))
      return unlogged.inc({ why: 'many_of_space' })
    waitingOf.set(spaceId, ofSpace + 1)
    waiting.push(toLoggedRequest(exchange))
  }
  const write = async () => {
    const now = new Date()
    const rows = waiting.filter(({ at }) => isKept(at, now))
    if (rows.length < waiting.length) unlogged.inc({ why: 'late' }, waiting.length - rows.length)
    ;[waiting, waitingOf] = [[], new Map()]
    // Includes tomorrow, so that the partition exists before the first request of the day.
    const days = new Set([dayOf(now, 0), dayOf(now, 1)])
    for (const start of new Set(rows.map(({ at }) => startOfDay(at)))) days.add(dayOf(new Date(start), 0))
    await db
      .transaction(
        async (tx) => {
          if ([...days].some((day) => !made.has(day))) await makePartitions(tx, [...days])
          await insertRequests(tx, rows)
        },
        { lockTimeoutMs },
      )
      .then(() => {
        made = days
      })
      .catch((err) => {
        made = new Set()
        unlogged.inc({ why: 'database' }, rows.length)
        log.warn({ err, requests: rows.length }, 'failed to write requests to the request log')
      })
  }
  // Writes one batch at a time. If the database is slow, the buffer does not grow beyond its limit, and further
  // requests are only counted.
  const writeNext = () => {
    if (writing || waiting.length === 0) return
    writing = write().finally(() => {
      writing = undefined
    })
  }
  const timer = setInterval(writeNext, writeEveryMs)
  timer.unref()
  return {
    record,
    async stop() {
      clearInterval(timer)
      await writing
      writeNext()
      await writing
    },
  }
}

/** Creates a counter that limits how many requests of each Space are logged per day. */
function createDailyCounter() {
  let day = 0
  let counts = new Map<string, number>()
  return {
    take(spaceId: string, at: Date): boolean {
      const today = startOfDay(at)
      if (today !== day) [day, counts] = [today, new Map()]
      const count = counts.get(spaceId) ?? 0
      counts.set(spaceId, count + 1)
      return count < maxLoggedPerSpaceAndDay
    },
  }
}

/**
 * Returns true for successful reads by the console's pages, which poll every few seconds and would bury other
 * API requests. Changes and refusals by the console are logged.
 */
const isConsoleRead = ({ caller, method, status }: ApiExchange) =>
  caller.session !== undefined && (method === 'GET' || method === 'HEAD') && status < 400

const longestMs = 2 ** 31 - 1

/** Masks a request immediately, so that the buffer contains no secrets and no large bodies. */
function toLoggedRequest({ caller, body, ...exchange }: ApiExchange): Scoped<LoggedRequest> {
  const masked = body === undefined ? { body: null, isBodyCut: false } : maskedBody(body)
  return {
    ...exchange,
    ...masked,
    callerId: caller.tokenId,
    isSession: caller.session !== undefined,
    path: pathOf(exchange),
    // A stream can stay open for weeks.
    durationMs: Math.min(exchange.durationMs, longestMs),
  }
}

/**
 * Returns the path to log. Decodes it, so that escapes cannot hide anything from the masks, and removes
 * characters that cannot be stored. Keeps the number of an existing order, because we assigned it; any other
 * number may identify a person. Shortens the path before masking it, because masking takes time for each part.
 */
function pathOf({ path, route, status }: Pick<ApiExchange, 'path' | 'route' | 'status'>): string {
  const names = route.split('/')
  const isNumberOfOurs = (i: number) => names[i] === ':orderNumber' && status < 400
  const whole = decoded(path).replace(/\p{C}/gu, '')
  const parts = whole.slice(0, maxPathLength).split('/')
  // Part of a secret may not look like a secret.
  const isCut = (i: number) => whole.length > maxPathLength && i === parts.length - 1
  return parts
    .map((part, i) => (isCut(i) ? mask : isNumberOfOurs(i) ? part : maskedText(part)))
    .join('/')
    .slice(0, maxPathLength)
}

/** Decodes percent escapes. Invalid byte sequences do not cause an error. */
const decoded = (path: string) =>
  path.replace(/(?:%[0-9a-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString())
