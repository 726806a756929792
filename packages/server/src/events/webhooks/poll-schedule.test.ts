import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { createLog } from '../../platform/log.ts'
import type { Scope } from '../../platform/scope.ts'
import { createPollSchedule, type PollSchedule } from './poll-schedule.ts'

const opened: PollSchedule[] = []
after(() => Promise.all(opened.map((schedule) => schedule.stop())))

/** Records the time of each poll; `polled` waits for this many polls. */
function watch() {
  const polls: { scope: Scope | undefined; atMs: number }[] = []
  let wake = () => {}
  const schedule = createPollSchedule(async (scope) => {
    polls.push({ scope, atMs: Date.now() })
    wake()
  }, createLog('error'))
  opened.push(schedule)
  const polled = async (count: number) => {
    while (polls.length < count)
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    return polls
  }
  return { schedule, polled }
}

const space = (): Scope => ({ spaceId: randomUUID(), environment: 'test' })

test('there is a poll for every requested time, never early, in any order of requests', async () => {
  const { schedule, polled } = watch()
  const scope = space()
  const nowMs = Date.now()
  const times = [nowMs + 400, nowMs + 100, nowMs + 700]
  for (const atMs of times) schedule.at(scope, atMs)
  const polls = await polled(3)
  for (const [i, atMs] of times.sort((a, b) => a - b).entries()) assert.ok(polls[i]!.atMs >= atMs)
})

test('nearby times of one Space share a poll; different Spaces do not', async () => {
  const { schedule, polled } = watch()
  const [one, other] = [space(), space()]
  const nowMs = Date.now()
  for (let i = 0; i < 1_000; i++) schedule.at(one, nowMs + 200)
  schedule.at(other, nowMs + 600)
  assert.deepEqual(
    (await polled(2)).map(({ scope }) => scope),
    [one, other],
  )
})
