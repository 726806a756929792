import { setTimeout as sleep } from 'node:timers/promises'

const pauseMs = 5
/** A longer pause means that the process had no processor time. */
const longestPauseMs = 50

/**
 * Calls `send` at a steady rate, without waiting for answers, and then waits for all of them. Returns the time until the
 * last request was sent, until the last answer arrived, and in which this process could not send.
 */
export async function sendSteadily<T>(
  perSecond: number,
  seconds: number,
  send: (i: number) => T | Promise<T>,
): Promise<{ answers: T[]; sentSeconds: number; answeredSeconds: number; stalledSeconds: number }> {
  const startedAt = performance.now()
  const pending: (T | Promise<T>)[] = []
  let [passedMs, stalledMs] = [0, 0]
  while (passedMs < seconds * 1000) {
    while (pending.length < (passedMs * perSecond) / 1000) pending.push(send(pending.length))
    await sleep(pauseMs)
    const nowMs = performance.now() - startedAt
    stalledMs += Math.max(0, nowMs - passedMs - longestPauseMs)
    passedMs = nowMs
  }
  const answers = await Promise.all(pending)
  return {
    answers,
    sentSeconds: passedMs / 1000,
    answeredSeconds: (performance.now() - startedAt) / 1000,
    stalledSeconds: stalledMs / 1000,
  }
}
