import { must } from '@pesewa/values'
import { LRUCache } from 'lru-cache'
import type { TSchema } from 'typebox'
import { batchKeyOf, createBatches, type Outcome } from '../../batches.ts'
import type { AnyTx, Bounds, DatabaseOf } from '../../db/database.ts'
import { requireLimits } from '../../limits/limits.ts'
import type { Platform } from '../../platform.ts'
import {
  envelope,
  type Keyed,
  type KeyedResponse,
  keyName,
  resultIn,
  runEachOnce,
  runOnce,
  type StoredResponses,
  selectTaken,
} from './idempotency.ts'
import { writeNewRows } from './new-rows.ts'
import type { Call, CommandRoute, GroupCommand, SingleWriting } from './route.ts'

export type KeyedCall = Omit<Keyed, 'scope'> & { call: Call }
type ScopedCall = Keyed & { call: Call }
type Outcomes = Outcome<KeyedResponse>[]

/** Runs a POST once per idempotency key, alone or in a batch, and returns the response envelope. */
export type RunCommand = (request: KeyedCall) => Promise<KeyedResponse>

export function createCommand(parts: Platform & StoredResponses, route: CommandRoute): RunCommand {
  if ('writeEach' in route) return createGrouped(parts, route)
  return route.isHome ? createSingle(parts, parts.home, route) : createSingle(parts, parts.db, route)
}

function createSingle<T extends AnyTx>(
  parts: Platform & StoredResponses,
  db: DatabaseOf<T>,
  route: CommandRoute & SingleWriting<TSchema, unknown, T>,
): RunCommand {
  return async (request) => {
    // A command that runs in its own process cannot be repeated, and may not know the key that seals responses.
    if (request.call.operator !== undefined) {
      const result = await db.transaction((tx) => route.write(tx, request.call))
      await route.afterCommit?.(request.call, result)
      return { text: envelope(JSON.stringify(result)), replay: false }
    }
    if (route.limits && parts.settings.rateLimits === 'on')
      await requireLimits(parts, ...route.limits(request.call))
    const response = await runOnce(
      { ...parts, db },
      { ...request, scope: request.call.scope },
      async (tx) => envelope(JSON.stringify(await route.write(tx, request.call))),
      route.isSecret ? parts.vault : undefined,
    )
    await route.afterCommit?.(request.call, resultIn(response.text))
    return response
  }
}

/**
 * Once this many batches have contained non-simple calls of a Space, the Space's calls skip the fast path. The
 * count starts again if no such batch follows within `notSimpleMs`.
 */
const notSimpleTimes = 2
const notSimpleMs = 1_000
const maxNotSimple = 10_000 // Spaces whose commands skip the fast path on a node

function createGrouped(parts: Platform & StoredResponses, route: GroupCommand): RunCommand {
  const { prepareNew } = route
  const batchSizes = parts.metrics.batchSizes.labels({ command: route.url })
  const batches = createBatches<ScopedCall, KeyedResponse>({
    run: runTogether,
    tenantOf: spaceOf,
    observe: (size) => batchSizes.observe(size),
    name: route.url,
  })
  /**
   * The number of recent batches with non-simple calls, by Space. Created on first use, because the cache
   * allocates all of its memory when it is created.
   */
  let notSimple: LRUCache<string, number> | undefined
  const skipsFastPath = (request: ScopedCall) => (notSimple?.get(spaceOf(request)) ?? 0) >= notSimpleTimes

  /** If several requests have the same key, runs only the first of them. The others then replay its response. */
  async function runTogether(requests: ScopedCall[], bounds: Bounds): Promise<Outcomes> {
    const firsts = new Map(requests.toReversed().map((request) => [keyName(request), request]))
    return runInTwoParts(
      requests,
      (request) => firsts.get(keyName(request)) === request,
      (some) => runFastPath(some, bounds),
      (others) => runTogether(others, bounds),
    )
  }

  /**
   * Runs simple calls on the fast path. If any call of a Space is not simple, all calls of that Space take the
   * slow path.
   */
  async function runFastPath(requests: ScopedCall[], bounds: Bounds): Promise<Outcomes> {
    if (!prepareNew || requests.every(skipsFastPath)) return runSlowPath(requests, bounds)
    const rows = await prepareNew(requests.map(callOf))
    const written = 'notSimple' in rows ? rows : await writeNewRows(parts, rows, requests, bounds)
    if (Array.isArray(written))
      return written.map((result) => ({ answer: { text: envelope(result), replay: false } }))
    const spaces = new Set(requests.filter((_, i) => written.notSimple[i]).map(spaceOf))
    notSimple ??= new LRUCache({ max: maxNotSimple, ttl: notSimpleMs })
    for (const space of spaces) notSimple.set(space, (notSimple.get(space) ?? 0) + 1)
    return runInTwoParts(
      requests,
      (request) => spaces.size === 0 || spaces.has(spaceOf(request)),
      (some) => runSlowPath(some, bounds),
      (others) => runFastPath(others, bounds),
    )
  }

  async function runSlowPath(requests: ScopedCall[], bounds: Bounds): Promise<Outcomes> {
    if (route.prepareEach) {
      const taken = await selectTaken(parts.db, requests)
      await route.prepareEach(requests.filter((request) => !taken.has(keyName(request))).map(callOf))
    }
    return runEachOnce(
      parts,
      requests,
      async (tx, fresh) => {
        const outcomes = await route.writeEach(tx, fresh.map(callOf))
        return outcomes.map((outcome) =>
          'answer' in outcome ? { answer: envelope(JSON.stringify(outcome.answer)) } : outcome,
        )
      },
      bounds,
    )
  }

  return (request) => {
    const scoped = { ...request, scope: request.call.scope }
    return batches.submit(skipsFastPath(scoped) ? 'judged' : 'simple', scoped)
  }
}

const callOf = ({ call }: ScopedCall) => call
const spaceOf = ({ scope }: ScopedCall) => batchKeyOf(scope)

/** Runs one part of the requests, then the rest, and returns all outcomes in the order of the requests. */
async function runInTwoParts(
  requests: ScopedCall[],
  isFirst: (request: ScopedCall) => boolean,
  first: (some: ScopedCall[]) => Promise<Outcomes>,
  then: (others: ScopedCall[]) => Promise<Outcomes>,
): Promise<Outcomes> {
  const some = requests.filter(isFirst)
  if (some.length === requests.length) return first(requests)
  const firstOutcomes = (await first(some)).values()
  const otherOutcomes = (await then(requests.filter((request) => !isFirst(request)))).values()
  return requests.map((request) =>
    must((isFirst(request) ? firstOutcomes : otherOutcomes).next().value, 'outcome of a request'),
  )
}
