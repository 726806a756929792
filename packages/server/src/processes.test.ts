import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../../test/support/database.ts'
import { ask } from '../../../test/support/program.ts'
import { countProcesses, wantedProcesses } from './processes.ts'
import { readSettings } from './slices.ts'

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

test('auto starts no more processes than a database of your own has connections for', async (t) => {
  const { connection, drop } = await createTestDatabase()
  t.after(drop)
  const [{ most }] = await ask(
    connection,
    `select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as most`,
  )
  const count = (poolSize: number, processes = 'auto') => {
    const given = { DATABASE_URL: own, DATABASE_POOL_SIZE: String(poolSize), PROCESSES: processes }
    return countProcesses(readSettings(given), connection, 64)
  }
  assert.equal(await count(100), Math.floor(most / 102))
  assert.equal(await count(500), 1)
  assert.equal(await count(500, '3'), 3)
})
