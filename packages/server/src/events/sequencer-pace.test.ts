import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPace, maxRowsOfRound, type RoundLimits } from './sequencer-pace.ts'

/** Simulates a database with this many rows per millisecond, where no round takes longer than `limitMs`. */
function createDatabase({ rowsPerMs = 100, limitMs = Number.POSITIVE_INFINITY, isBusy = false }) {
  let nowMs = 0
  const rounds: RoundLimits[] = []
  const pace = createPace(() => nowMs)
  return {
    rounds,
    wait: (ms: number) => {
      nowMs += ms
    },
    /** Runs a round without work. */
    idle: () => pace.round(async () => ({ isMore: false, isBusy: false })),
    /** Returns whether the round succeeded. */
    round: () =>
      pace
        .round(async (limits) => {
          rounds.push(limits)
          const tookMs = limits.maxRows / rowsPerMs
          nowMs += Math.min(tookMs, limitMs)
          if (tookMs > limitMs) throw new Error('the statement took too long')
          return { isMore: true, isBusy }
        })
        .then(({ isMore }) => isMore)
        .catch(() => false),
  }
}

test('a failed round is retried with half the rows, down to a single row, without limit', async () => {
  const { round, rounds } = createDatabase({ rowsPerMs: 0.001, limitMs: 15 })
  for (let i = 0; i < 20; i++) await round()
  assert.deepEqual(
    rounds.slice(0, 3).map(({ maxRows }) => maxRows),
    [1_000, 500, 250],
  )
  assert.equal(rounds.at(-1)!.maxRows, 1)
})

test('a node starts small and doubles its rounds after each quick one that left work', async () => {
  const { round, rounds, idle } = createDatabase({ rowsPerMs: 1_000 })
  for (let i = 0; i < 5; i++) await idle()
  for (let i = 0; i < 5; i++) await round()
  assert.deepEqual(
    rounds.map(({ maxRows }) => maxRows),
    [1_000, 2_000, 4_000, maxRowsOfRound, maxRowsOfRound],
  )
})

test('rounds shrink on a slow database, but no more than necessary', async () => {
  const lastOf = async (rowsPerMs: number) => {
    const { round, rounds } = createDatabase({ rowsPerMs, limitMs: 15_000 })
    for (let i = 0; i < 50; i++) assert.equal(await round(), true)
    return rounds.at(-1)!.maxRows
  }
  assert.deepEqual([await lastOf(100), await lastOf(20), await lastOf(1)], [8_000, 2_000, 1_000])
})

test('while the database is busy, the backlog pauses for as long as its round took', async () => {
  const { round, rounds, wait } = createDatabase({ isBusy: true })
  await round()
  await round()
  wait(80)
  await round()
  assert.deepEqual(
    rounds.map(({ isBacklogPaused }) => isBacklogPaused),
    [false, true, false],
  )
})

test('while the database is idle, the backlog does not pause', async () => {
  const { round, rounds } = createDatabase({})
  for (let i = 0; i < 3; i++) await round()
  assert.ok(rounds.every(({ isBacklogPaused }) => !isBacklogPaused))
})
