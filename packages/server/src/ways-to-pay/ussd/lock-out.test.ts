import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lockedForMs, withWrongDial } from './lock-out.ts'

const rule = { wrongDials: 3, windowMs: 60_000, lockOutMs: 600_000 }
const at = (second: number) => new Date(1_800_000_000_000 + second * 1_000)

/** In seconds: the times of the wrong dials, the current time, and the expected lock-out. */
const locks: [what: string, wrong: number[], now: number, lockedForS: number][] = [
  ['none', [], 0, 0],
  ['one too few', [0, 1], 1, 0],
  ['just enough', [0, 1, 2], 2, 600],
  ['a while later', [0, 1, 2], 302, 300],
  ['a moment before the end', [0, 1, 2], 601, 1],
  ['at the end', [0, 1, 2], 602, 0],
  ['all within the window', [0, 1, 60], 60, 600],
  ['not all within the window', [0, 1, 61], 61, 0],
  ['the last three count', [-500, 0, 1, 2], 2, 600],
  ['another node’s clock is slightly ahead', [30, 31, 32], 0, 632],
  ['dialled before a test clock was set back', [3_600, 3_601, 3_602], 0, 0],
]

for (const [what, wrong, now, seconds] of locks)
  test(`${what}: locked out for ${seconds} s`, () => {
    assert.equal(lockedForMs(rule, wrong.map(at), at(now)), seconds * 1_000)
  })

const dials: [what: string, wrong: number[], now: number, kept: number[]][] = [
  ['the first', [], 0, [0]],
  ['one more within the window', [0, 1], 2, [0, 1, 2]],
  ['dials outside the window are dropped', [0, 50], 61, [50, 61]],
  ['dials in the future, from before a clock was set back, are dropped', [3_600], 0, [0]],
  ['only as many as cause a lock-out are kept', [0, 1, 2], 3, [1, 2, 3]],
]

for (const [what, wrong, now, kept] of dials)
  test(`a wrong dial: ${what}`, () => {
    assert.deepEqual(withWrongDial(rule, wrong.map(at), at(now)), kept.map(at))
  })
