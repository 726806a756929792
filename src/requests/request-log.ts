import type { Scoped } from '../platform/db/scoped.ts'
import type { ApiExchange } from '../platform/http/exchange.ts'
import type { Platform } from '../platform/platform.ts'
import { mask, maskedBody, maskedText } from './masking.ts'
import { unloggedRequests } from './metrics.ts'
import { dayOf, isKept, makePartitions } from './partitions.ts'
import { insertRequests, type LoggedRequest } from './store.ts'

const writeEveryMs = 1_000
const maxWaiting = 4_000 // limit: requests that a node keeps until they are in the request log
const maxWaitingOfSpace = 1_000 // limit: those of one Space
const maxOfSpaceADay = 500_000 // limit: requests of a Space that a node logs in a day
const maxPathLength = 500 // limit: characters of a path that the request log keeps
const lockTimeoutMs = 1_000

export type RequestLog = { record(exchange: ApiExchange): void; stop(): Promise<void> }

/**
 * Keeps what the API was asked, and writes it once a second: no request waits for that, and what does not fit or is not taken
 * by the database is counted and forgotten. Real time: a log is about the machine.
 */
export function openRequestLog({ db, log, metrics }: Pick<Platform, 'db' | 'log' | 'metrics'>): RequestLog {
  const unlogged = unloggedRequests(metrics)
  let waiting: Scoped<LoggedRequest>[] = []
  let waitingOf = new Map<string, number>()
  const ofDay = countsOfDay()
  let made = new Set<string>()
  let writing: Promise<void> | undefined

  const record = (exchange: ApiExchange) => {
    if (isPagesOwn(exchange)) return
    const { spaceId } = exchange.scope
    const ofSpace = waitingOf.get(spaceId) ?? 0
    if (waiting.length >= maxWaiting) return unlogged.inc({ why: 'many' })
    if (ofSpace >= maxWaitingOfSpace || !ofDay.take(spaceId, new Date()))
      return unlogged.inc({ why: 'many_of_space' })
    waitingOf.set(spaceId, ofSpace + 1)
    waiting.push(loggedOf(exchange))
  }
  const write = async () => {
    const now = new Date()
    const rows = waiting.filter(({ at }) => isKept(at, now))
    if (rows.length < waiting.length) unlogged.inc({ why: 'late' }, waiting.length - rows.length)
    ;[waiting, waitingOf] = [[], new Map()]
    // Of tomorrow, too: a day's is there before its first request.
    const days = new Set([dayOf(now, 0), dayOf(now, 1), ...rows.map(({ at }) => dayOf(at, 0))])
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
        log.warn({ err, requests: rows.length }, 'requests are missing in the request log')
      })
  }
  // One at a time: while the database is slow, what waits is bounded and the rest is counted.
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

const dayMs = 86_400_000
const endOfDay = (now: Date) => now.getTime() - (now.getTime() % dayMs) + dayMs

/** How many each Space has had on a day. */
function countsOfDay() {
  let day = 0
  let counts = new Map<string, number>()
  return {
    take(spaceId: string, at: Date): boolean {
      const today = endOfDay(at)
      if (today !== day) [day, counts] = [today, new Map()]
      const count = counts.get(spaceId) ?? 0
      counts.set(spaceId, count + 1)
      return count < maxOfSpaceADay
    },
  }
}

/** What pages of the console read, every few seconds, would hide what programs send; what they change, or are refused, is logged. */
const isPagesOwn = ({ caller, method, status }: ApiExchange) =>
  caller.session !== undefined && (method === 'GET' || method === 'HEAD') && status < 400

const longestMs = 2 ** 31 - 1

/** Masked at once, so that no secret waits in memory, and no large body. */
function loggedOf({ caller, body, ...exchange }: ApiExchange): Scoped<LoggedRequest> {
  const masked = body === undefined ? { body: null, isBodyCut: false } : maskedBody(body)
  return {
    ...exchange,
    ...masked,
    callerId: caller.tokenId,
    isSession: caller.session !== undefined,
    path: pathOf(exchange),
    // A stream can be open for weeks.
    durationMs: Math.min(exchange.durationMs, longestMs),
  }
}

/**
 * As it reads, for what is escaped is not to be hidden from masks; what cannot be stored is left out. The number of an order that was
 * found is one of ours; what was not may be somebody's. It is cut before it is judged, for each part of a path costs time.
 */
function pathOf({ path, route, status }: Pick<ApiExchange, 'path' | 'route' | 'status'>): string {
  const names = route.split('/')
  const isNumberOfOurs = (i: number) => names[i] === ':orderNumber' && status < 400
  const whole = decoded(path).replace(/\p{C}/gu, '')
  const parts = whole.slice(0, maxPathLength).split('/')
  // What a cut left of a secret need not look like one.
  const isCut = (i: number) => whole.length > maxPathLength && i === parts.length - 1
  return parts
    .map((part, i) => (isCut(i) ? mask : isNumberOfOurs(i) ? part : maskedText(part)))
    .join('/')
    .slice(0, maxPathLength)
}

/** What is escaped as bytes of no text is left out, and hides nothing beside it. */
const decoded = (path: string) =>
  path.replace(/(?:%[0-9a-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString())
