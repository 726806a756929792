import { createPeer, NoAnswer, send } from '@pesewa/connector-kit'
import type {
  Callback,
  SimulatedRail,
  StoredCollection,
  StoredDisbursement,
} from '@pesewa/connector-kit/simulator'
import type { Database } from '../../platform/db/database.ts'
import { connectionCallbackUrl } from '../../rails/instructions/callback-url.ts'
import { claimCallbacks, insertCallbacks } from './callback-store.ts'
import type { SimulatorPlatform } from './parts.ts'
import { type AppliedOutcome, applyDue, collections, disbursements, isAnythingDue } from './request-store.ts'

const pollEveryMs = 2_000
const callbackTimeoutMs = 10_000
const maxCallbacksAtOnce = 50 // maximum number of concurrent callbacks from simulated rails
const maxConnections = 50 // maximum number of connections for callbacks from simulated rails

/**
 * Returns the engine, which carries out plans: it applies outcomes that are due and then sends each of their
 * callbacks once.
 */
export function createEngine(
  { db, log, seals, clock, baseUrl }: Pick<SimulatorPlatform, 'db' | 'log' | 'seals' | 'clock' | 'baseUrl'>,
  rails: readonly SimulatedRail[],
) {
  const peer = createPeer(maxConnections)
  const sending = new Set<Promise<void>>()
  const working = new Set<Promise<void>>()
  let stopped = false

  const settleAll = coalesceRuns(async () => {
    while (
      !stopped &&
      (await applyDueOutcomes(db, clock.now(), (one) => callbacksOf(one, rails, { seals, baseUrl }))) > 0
    );
  })
  const startSending = coalesceRuns(async () => {
    for (;;) {
      const free = maxCallbacksAtOnce - sending.size
      if (stopped || free <= 0) return
      const claimed = await db.transaction((tx) => claimCallbacks(tx, free))
      for (const callback of claimed) trackIn(sending, sendOnce(callback)).catch(() => {})
      if (claimed.length < free) return
      await Promise.race(sending)
    }
  })
  const sendAll = async () => {
    await startSending()
    await Promise.all(sending)
  }
  const sendOnce = async (callback: Callback) => {
    const { protocol, method, url, body } = callback
    const rail = rails.find((each) => each.protocol === protocol)
    const headers = { 'content-type': 'application/json', ...rail?.sign?.(seals, callback) }
    try {
      await send(peer, { method, url, headers, body, timeoutMs: callbackTimeoutMs })
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error
    }
  }
  const settleAndSend = async () => {
    if (stopped) return
    const work = settleAll().then(sendAll)
    await trackIn(working, work).catch((err) => log.error({ err }, 'failed to apply due simulator outcomes'))
  }
  const settleIfDue = async () => {
    if (await isAnythingDue(db, clock.now())) await settleAndSend()
  }
  const poll = async () => {
    if (stopped) return
    clock.at(new Date(clock.now().getTime() + pollEveryMs), poll)
    await trackIn(working, settleIfDue()).catch((err) =>
      log.error({ err }, 'failed to check for due simulator outcomes'),
    )
  }

  return {
    start: () => clock.at(clock.now(), poll),
    /** Applies due outcomes at the given time, in addition to the regular runs every two seconds. */
    wakeAt: (moment: Date) => clock.at(moment, settleAndSend),
    async stop() {
      stopped = true
      await Promise.allSettled([...working, ...sending])
      await peer.close()
    },
  }
}

type AppliedRequest = AppliedOutcome<StoredCollection | StoredDisbursement>

async function applyDueOutcomes(
  db: Database,
  now: Date,
  callbacksOf: (settled: AppliedRequest) => Callback[],
): Promise<number> {
  return db.transaction(async (tx) => {
    const settled = [
      ...(await applyDue<StoredCollection>(tx, collections, now)),
      ...(await applyDue<StoredDisbursement>(tx, disbursements, now)),
    ]
    const callbacks = settled.flatMap(callbacksOf)
    if (callbacks.length > 0) await insertCallbacks(tx, callbacks)
    return settled.length
  })
}

function callbacksOf(
  settled: AppliedRequest,
  rails: readonly SimulatedRail[],
  { seals, baseUrl }: Pick<SimulatorPlatform, 'seals' | 'baseUrl'>,
): Callback[] {
  if (settled.status === null) return []
  const { protocol } = settled
  const rail = rails.find((each) => each.protocol === protocol)
  if (!rail) return []
  return [...reportsOf(rail, settled, { seals, baseUrl }), ...noticesOf(rail, settled)]
}

type EndedRequest = Exclude<AppliedRequest, { status: null }>

function reportsOf(
  rail: SimulatedRail,
  settled: EndedRequest,
  { seals, baseUrl }: Pick<SimulatorPlatform, 'seals' | 'baseUrl'>,
): Callback[] {
  const { protocol, providerId } = settled
  const url = rail.reportsToConnection
    ? connectionCallbackUrl(baseUrl, 'test', providerId)
    : settled.callbackUrl
  if (url === null) return []
  const report = (rail.reportOf ?? rail.documentOf)(settled, seals)
  if (!report) return []
  const callback = { protocol, method: rail.callbackMethod, url, body: JSON.stringify(report) }
  return Array.from({ length: settled.callbacks }, () => callback)
}

/**
 * Returns the reports that are sent to `noticeUrl`. A prompted payment is reported once, whether or not its
 * callback is sent.
 */
function noticesOf(rail: SimulatedRail, settled: EndedRequest): Callback[] {
  if (!('payer' in settled) || settled.status !== 'SUCCESSFUL' || !rail.noticeOf) return []
  const { protocol, noticeUrl: url, callbackUrl, callbacks } = settled
  if (!url) return []
  const notice = { protocol, method: rail.callbackMethod, url, body: JSON.stringify(rail.noticeOf(settled)) }
  return Array.from({ length: callbackUrl === null ? callbacks : 1 }, () => notice)
}

/**
 * Returns a function that runs `work`, but never concurrently. All calls that are made during a run are served
 * by a single further run.
 */
function coalesceRuns(work: () => Promise<void>): () => Promise<void> {
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

function trackIn(set: Set<Promise<void>>, work: Promise<void>): Promise<void> {
  const entry = work.finally(() => set.delete(entry))
  set.add(entry)
  return entry
}
