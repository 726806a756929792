import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wantedProcesses } from './processes.ts'

const own = 'postgresql://db.example/pesewa'

test('auto leaves cores to an embedded database, and starts one process on one or two cores', () => {
  const auto = (cores: number, databaseUrl?: string) =>
    wantedProcesses({ processes: 'auto', databaseUrl }, cores)
  assert.deepEqual(
    [1, 2, 3, 4, 7, 8, 200].map((cores) => auto(cores)),
    [1, 1, 1, 2, 3, 4, 64],
  )
  assert.deepEqual(
    [1, 2, 3, 4, 7, 8, 200].map((cores) => auto(cores, own)),
    [1, 1, 3, 4, 7, 8, 64],
  )
})

test('a number is used as it is, and 1 is the default', () => {
  assert.equal(wantedProcesses({ processes: 5, databaseUrl: undefined }, 1), 5)
  assert.equal(wantedProcesses({ processes: undefined, databaseUrl: own }, 16), 1)
})
