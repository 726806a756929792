import { LRUCache } from 'lru-cache'
import { createBatches, laneOf, type Outcome } from '../batches.ts'
import type { Bounds } from '../db/database.ts'
import { must } from '../must.ts'
import type { Platform } from '../platform.ts'
import {
  envelope,
  type Keyed,
  type KeyedResponse,
  keyName,
  once,
  onceEach,
  type StoredResponses,
} from './idempotency.ts'
import type { Call, CommandRoute, GroupCommand } from './route.ts'

export type KeyedCall = Omit<Keyed, 'scope'> & { call: Call }
type ScopedCall = Keyed & { call: Call }
type Outcomes = Outcome<KeyedResponse>[]

/** How a POST is carried out: once per key, alone or together with others. Returns the envelope. */
export type RunCommand = (request: KeyedCall) => Promise<KeyedResponse>

export function createCommand(parts: Platform & StoredResponses, route: CommandRoute): RunCommand {
  if ('writeEach' in route) return createGrouped(parts, route)
  return async (request) => {
    const response = await once(
      parts,
      { ...request, scope: request.call.scope },
      async (tx) => envelope(JSON.stringify(await route.write(tx, request.call))),
      route.isSecret ? parts.vault : undefined,
    )
    await route.afterCommit?.(request.call)
    return response
  }
}

/** A Space whose calls were not simple in this many batches within this time is not tried in the fast way. */
const notSimpleTimes = 2
const notSimpleMs = 1_000
const maxNotSimple = 10_000 // limit: Spaces whose commands a node judges one by one

function createGrouped(parts: Platform & StoredResponses, route: GroupCommand): RunCommand {
  const { writeNew } = route
  const batchSizes = parts.metrics.batchSizes.labels({ command: route.url })
  const batches = createBatches<ScopedCall, KeyedResponse>({
    run: runTogether,
    partOf: spaceOf,
    observe: (size) => batchSizes.observe(size),
  })
  /** In how many batches a Space's calls were not simple of late. Made when first needed: it takes all its room at once. */
  let notSimple: LRUCache<string, number> | undefined
  const isJudged = (request: ScopedCall) => (notSimple?.get(spaceOf(request)) ?? 0) >= notSimpleTimes

  /** Of requests with the same key only the first is carried out; the others then find its response. */
  async function runTogether(requests: ScopedCall[], bounds: Bounds): Promise<Outcomes> {
    const firsts = new Map(requests.toReversed().map((request) => [keyName(request), request]))
    return inParts(
      requests,
      (request) => firsts.get(keyName(request)) === request,
      (some) => carryOut(some, bounds),
      (others) => runTogether(others, bounds),
    )
  }

  /** In the fast way what is simple; those of a Space that has a call which is not are judged. */
  async function carryOut(requests: ScopedCall[], bounds: Bounds): Promise<Outcomes> {
    if (!writeNew || requests.every(isJudged)) return judge(requests, bounds)
    const written = await writeNew(requests.map(callOf), requests, bounds)
    if (Array.isArray(written))
      return written.map((result) => ({ answer: { text: envelope(result), replay: false } }))
    const spaces = new Set(requests.filter((_, i) => written.notSimple[i]).map(spaceOf))
    notSimple ??= new LRUCache({ max: maxNotSimple, ttl: notSimpleMs })
    for (const space of spaces) notSimple.set(space, (notSimple.get(space) ?? 0) + 1)
    return inParts(
      requests,
      (request) => spaces.size === 0 || spaces.has(spaceOf(request)),
      (some) => judge(some, bounds),
      (others) => carryOut(others, bounds),
    )
  }

  const judge = (requests: ScopedCall[], bounds: Bounds): Promise<Outcomes> =>
    onceEach(
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

  return (request) => {
    const scoped = { ...request, scope: request.call.scope }
    return batches.submit(isJudged(scoped) ? 'judged' : 'simple', scoped)
  }
}

const callOf = ({ call }: ScopedCall) => call
const spaceOf = ({ scope }: ScopedCall) => laneOf(scope)

/** Carries out first some, then the others; returns the outcomes of all, in their order. */
async function inParts(
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
