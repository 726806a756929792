import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { protocolNames } from '../../src/rails/connections/protocols.ts'
import { openFuzz, runs } from './outcomes.ts'
import { rails } from './rails/rails.ts'

// Randomly changed responses must never lead to an outcome that they do not support; anything unclear is
// unknown. `npm run fuzz` does this with ten thousand responses per call.

const counted = `${runs.numRuns} responses, seed ${runs.seed}`

test('test/fuzz/rails has responses of every protocol', () => {
  assert.deepEqual(rails.map(({ protocol }) => protocol).toSorted(), protocolNames.toSorted())
})

for (const fuzz of rails)
  describe(fuzz.protocol, () => {
    let opened: Awaited<ReturnType<typeof openFuzz>>
    before(async () => {
      opened = await openFuzz(fuzz)
    })
    after(() => opened.close())

    for (const call of fuzz.calls) {
      test(`${fuzz.protocol} ${call.name}: genuine responses have the expected outcomes`, async () => {
        assert.deepEqual(await opened.genuineOutcomes(call), [...call.reaches].toSorted())
      })
      test(`${fuzz.protocol} ${call.name}: ${counted}`, () => opened.callOutcomes(call))
    }

    for (const report of fuzz.reports)
      test(`${fuzz.protocol} ${report.name}: ${counted}`, async () => {
        assert.deepEqual(await opened.reportOutcomes(report), [...report.reaches].toSorted())
      })
  })
