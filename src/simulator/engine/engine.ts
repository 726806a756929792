import type { Database } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log.ts'
import { createPeer, NoAnswer, send } from '../../platform/outbound/outbound.ts'
import { signReport } from '../../providers/protocols/rest/report.ts'
import type { SimulatorClock } from './clock.ts'
import { type StoredDisbursement, settleDisbursements } from './disbursement-store.ts'
import { isAnythingDue, type Settled } from './outcome-store.ts'
import {
  type Callback,
  insertCallbacks,
  type StoredCollection,
  settleCollections,
  takeCallbacks,
} from './store.ts'

/** What a rail says of a collection or disbursement, in the words of its protocol. */
export type BodyOf = (settled: StoredCollection | StoredDisbursement) => object

export type Engine = {
  start(): void
  /** Looks for what is due at this moment, besides every two seconds. */
  wakeAt(moment: Date): void
  stop(): Promise<void>
}

const lookEveryMs = 2_000
const callbackTimeoutMs = 10_000
const maxCallbacksAtOnce = 50 // limit: callbacks of simulated rails sent at once
const maxConnections = 50 // limit: connections of simulated rails to their callbacks

/**
 * Makes what is planned happen: outcomes fall due, then their callbacks are sent, each tried once.
 *
 * @param callbacks with which key banks and wallets sign theirs, and what a rail's callback says
 */
export function createEngine(
  db: Database,
  log: Log,
  clock: SimulatorClock,
  callbacks: { key: string; bodyOf: BodyOf },
): Engine {
  const peer = createPeer(maxConnections)
  const sending = new Set<Promise<void>>()
  const looking = new Set<Promise<void>>()
  let stopped = false

  const settleAll = oneAtATime(async () => {
    while (!stopped && (await settleSome(db, clock.now(), callbacks.bodyOf)) > 0);
  })
  const takeAll = oneAtATime(async () => {
    for (;;) {
      const free = maxCallbacksAtOnce - sending.size
      if (stopped || free <= 0) return
      const taken = await db.transaction((tx) => takeCallbacks(tx, free))
      for (const callback of taken) tracked(sending, sendOnce(callback)).catch(() => {})
      if (taken.length < free) return
      await Promise.race(sending)
    }
  })
  const sendAll = async () => {
    await takeAll()
    await Promise.all(sending)
  }
  const sendOnce = async ({ method, url, body }: Callback) => {
    const signature = method === 'POST' ? signReport(callbacks.key, body) : {}
    const headers = { 'content-type': 'application/json', ...signature }
    try {
      await send(peer, { method, url, headers, body, timeoutMs: callbackTimeoutMs })
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error
    }
  }
  const look = async () => {
    if (stopped) return
    const work = settleAll().then(sendAll)
    await tracked(looking, work).catch((err) => log.error({ err }, 'the simulator could not go on'))
  }
  const lookIfAny = async () => {
    if (await isAnythingDue(db, clock.now())) await look()
  }
  const lookAgain = async () => {
    if (stopped) return
    clock.at(new Date(clock.now().getTime() + lookEveryMs), lookAgain)
    await tracked(looking, lookIfAny()).catch((err) => log.error({ err }, 'the simulator could not look'))
  }

  return {
    start: () => clock.at(clock.now(), lookAgain),
    wakeAt: (moment) => clock.at(moment, look),
    async stop() {
      stopped = true
      await Promise.allSettled([...looking, ...sending])
      await peer.close()
    },
  }
}

async function settleSome(db: Database, now: Date, bodyOf: BodyOf): Promise<number> {
  return db.transaction(async (tx) => {
    const settled = [...(await settleCollections(tx, now)), ...(await settleDisbursements(tx, now))]
    const callbacks = settled.flatMap((one) => callbacksOf(one, bodyOf))
    if (callbacks.length > 0) await insertCallbacks(tx, callbacks)
    return settled.length
  })
}

function callbacksOf(settled: Settled<StoredCollection | StoredDisbursement>, bodyOf: BodyOf): Callback[] {
  if (settled.status === null || settled.callbackUrl === null) return []
  const callback: Callback = {
    method: settled.protocol === 'mtn-momo' ? 'PUT' : 'POST',
    url: settled.callbackUrl,
    body: JSON.stringify(bodyOf(settled)),
  }
  return Array.from({ length: settled.callbacks }, () => callback)
}

/** Whoever calls while the work runs waits for a further run, which they share. */
function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined
  const run = (): Promise<void> => {
    running = work().finally(() => {
      running = undefined
    })
    return running
  }
  return () => {
    if (!running) return run()
    next ??= running
      .catch(() => {})
      .then(() => {
        next = undefined
        return run()
      })
    return next
  }
}

function tracked(set: Set<Promise<void>>, work: Promise<void>): Promise<void> {
  const entry = work.finally(() => set.delete(entry))
  set.add(entry)
  return entry
}
