import { createBatches, laneOf, type Outcome } from '../batches.ts'
import type { Platform } from '../platform.ts'
import { envelope, type Keyed, type KeyedAnswer, once, onceEach } from './idempotency.ts'
import type { ApiRoute, Call } from './route.ts'

export type KeyedCall = Keyed & { call: Call }

/** How a POST is carried out: once per key, alone or together with others of its Space. Answers the envelope. */
export type RunCommand = (request: KeyedCall) => Promise<KeyedAnswer>

export function createCommand(
  { db, seals, metrics, vault }: Pick<Platform, 'db' | 'seals' | 'metrics' | 'vault'>,
  route: ApiRoute,
): RunCommand {
  const { write } = route
  if (write)
    return async (request) => {
      const answer = await once(
        { db, seals },
        request.call.scope,
        request,
        async (tx) => envelope(JSON.stringify(await write(tx, request.call))),
        route.isSecret ? vault : undefined,
      )
      await route.afterCommit?.()
      return answer
    }

  const batchSizes = metrics.batchSizes.labels({ command: route.url })
  const batches = createBatches<KeyedCall, KeyedAnswer>({
    run: (requests) => runTogether(requests),
    observe: (size) => batchSizes.observe(size),
  })
  return (request) => batches.submit(laneOf(request.call.scope), request)

  /** Of requests with the same key only the first is carried out; the others then find its answer. */
  async function runTogether(requests: KeyedCall[]): Promise<Outcome<KeyedAnswer>[]> {
    const firsts = new Map<string, KeyedCall>()
    for (const request of requests) if (!firsts.has(request.key)) firsts.set(request.key, request)
    if (firsts.size === requests.length) return carryOut(requests)
    const outcomes = new Map<KeyedCall, Outcome<KeyedAnswer>>()
    const keep = (some: KeyedCall[], told: Outcome<KeyedAnswer>[]) => {
      some.forEach((request, i) => void outcomes.set(request, told[i]!))
    }
    const first = [...firsts.values()]
    const others = requests.filter((request) => firsts.get(request.key) !== request)
    keep(first, await carryOut(first))
    keep(others, await runTogether(others))
    return requests.map((request) => outcomes.get(request)!)
  }

  async function carryOut(requests: KeyedCall[]): Promise<Outcome<KeyedAnswer>[]> {
    const { scope } = requests[0]!.call
    const callsOf = (some: KeyedCall[]) => some.map(({ call }) => call)
    const results = await route.writeNew?.(scope, callsOf(requests), requests)
    if (results) return results.map((result) => ({ answer: { text: envelope(result), replay: false } }))
    return onceEach({ db, seals }, scope, requests, async (tx, fresh) => {
      const outcomes = await route.writeEach!(tx, scope, callsOf(fresh))
      return outcomes.map((outcome) =>
        'answer' in outcome ? { answer: envelope(JSON.stringify(outcome.answer)) } : outcome,
      )
    })
  }
}
