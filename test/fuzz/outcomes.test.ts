import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { protocolNames } from '../../packages/server/src/rails/connections/protocols.ts'
import { loadOfRails } from '../support/rails.ts'
import { openFuzz, runs } from './outcomes.ts'
import { type RailFuzz, usualOutcomes } from './rail-fuzz.ts'

// Randomly changed responses must never lead to an outcome that they do not support; anything unclear is
// unknown. `npm run fuzz` does this with ten thousand responses per call.

const rails = await loadOfRails<{ fuzz: RailFuzz }>('fuzz')
const counted = `${runs.numRuns} responses, seed ${runs.seed}`

test('every rail has responses', () => {
  assert.deepEqual([...rails.keys()].toSorted(), protocolNames.toSorted())
})

for (const [protocol, { fuzz }] of rails)
  describe(protocol, () => {
    let opened: Awaited<ReturnType<typeof openFuzz>>
    before(async () => {
      opened = await openFuzz(fuzz)
    })
    after(() => opened.close())

    for (const call of fuzz.calls) {
      test(`${protocol} ${call.name}: genuine responses have the expected outcomes`, async () => {
        const { name, reaches = usualOutcomes(name) } = call
        assert.deepEqual(await opened.genuineOutcomes(call), [...reaches].toSorted())
      })
      test(`${protocol} ${call.name}: ${counted}`, () => opened.callOutcomes(call))
    }

    for (const report of fuzz.reports)
      test(`${protocol} ${report.name}: ${counted}`, async () => {
        assert.deepEqual(await opened.reportOutcomes(report), [...report.reaches].toSorted())
      })
  })
