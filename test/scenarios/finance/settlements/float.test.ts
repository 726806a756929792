import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startTestApp } from '../../../support/harness.ts'

const t = await startTestApp({ hasLiveProvider: true })
after(() => t.close())

test('operators together can read the float ten times a minute, because each reading sends requests to the rails', async () => {
  const operators = [await t.merchant({ isOperator: true }), await t.merchant({ isOperator: true })]
  const answers = []
  for (let i = 0; i < 12; i++) answers.push(await operators[i % 2]!.call('GET', '/v1/installation/float'))
  assert.deepEqual(
    answers.map(({ status }) => status),
    [...Array(10).fill(200), 429, 429],
  )
  const { body, headers } = answers.at(-1)!
  assert.equal(body.error.reason, 'too_many_requests')
  assert.equal(headers.get('service-rate-limit'), 'float-limit')
  const waitS = Number(headers.get('retry-after'))
  assert.ok(waitS > 0 && waitS <= 60, `${waitS} s`)
})
