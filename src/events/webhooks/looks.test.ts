import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { createLog } from '../../platform/log.ts'
import type { Scope } from '../../platform/scope.ts'
import { createLooks, type Looks } from './looks.ts'

const opened: Looks[] = []
after(() => Promise.all(opened.map((looks) => looks.stop())))

/** Notes when each look was made; `took` waits for so many. */
function watch() {
  const made: { scope: Scope | undefined; atMs: number }[] = []
  let wake = () => {}
  const looks = createLooks(async (scope) => {
    made.push({ scope, atMs: Date.now() })
    wake()
  }, createLog('error'))
  opened.push(looks)
  const took = async (count: number) => {
    while (made.length < count)
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    return made
  }
  return { looks, took }
}

const space = (): Scope => ({ spaceId: randomUUID(), environment: 'test' })

test('every time that is asked for has its look, and not before, in whatever order they are asked for', async () => {
  const { looks, took } = watch()
  const scope = space()
  const nowMs = Date.now()
  const wanted = [nowMs + 400, nowMs + 100, nowMs + 700]
  for (const atMs of wanted) looks.at(scope, atMs)
  const made = await took(3)
  for (const [i, atMs] of wanted.sort((a, b) => a - b).entries()) assert.ok(made[i]!.atMs >= atMs)
})

test('times of one Space that are close share a look; those of another Space do not', async () => {
  const { looks, took } = watch()
  const [one, other] = [space(), space()]
  const nowMs = Date.now()
  for (let i = 0; i < 1_000; i++) looks.at(one, nowMs + 200)
  looks.at(other, nowMs + 600)
  assert.deepEqual(
    (await took(2)).map(({ scope }) => scope),
    [one, other],
  )
})
