import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../../../test/support/harness.ts'
import { createLog } from './log.ts'
import { startRounds } from './repeat.ts'

const log = createLog('silent')
const long = 3_600_000

/** Creates rounds that return scripted results and record when they began. */
function counting(options: { everyMs?: number; gapMs?: number }, answers: unknown[] = []) {
  const begun: number[] = []
  const rounds = startRounds({ everyMs: long, log, ...options }, async () => {
    begun.push(performance.now())
    const answer = answers.shift()
    if (answer instanceof Error) throw answer
    return answer
  })
  return { ...rounds, begun }
}

test('a round runs when woken, immediately if there is more work, and after the returned delay', async () => {
  const rounds = counting({}, [undefined, true, true, 5])
  await until(() => rounds.begun.length === 1)
  rounds.wake()
  await until(() => rounds.begun.length === 5)
  await rounds.stop()
})

test('many wakes cause one round, after the minimum gap', async () => {
  const rounds = counting({ gapMs: 50 })
  await until(() => rounds.begun.length === 1)
  for (let i = 0; i < 100; i++) rounds.wake()
  await until(() => rounds.begun.length === 2)
  assert.ok(rounds.begun[1]! - rounds.begun[0]! >= 49, 'a timer may be a millisecond early')
  await rounds.stop()
  assert.equal(rounds.begun.length, 2)
})

test('a wake during a round causes another round', async () => {
  const mayEnd = Promise.withResolvers<void>()
  let count = 0
  const rounds = startRounds({ everyMs: long, log }, async () => {
    if (++count === 1) await mayEnd.promise
  })
  rounds.wake()
  mayEnd.resolve()
  await until(() => count === 2)
  await rounds.stop()
})

test('a failed round is not retried immediately, however often it is woken', async () => {
  const rounds = counting({}, [new Error('on purpose')])
  await until(() => rounds.begun.length === 1)
  const woken = setInterval(() => rounds.wake(), 5).unref()
  await until(() => rounds.begun.length > 1)
  clearInterval(woken)
  assert.ok(rounds.begun[1]! - rounds.begun[0]! > 900)
  await rounds.stop()
})
