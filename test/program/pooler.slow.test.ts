import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { startDatabase } from '../../packages/server/src/database.ts'
import { readSettings } from '../../packages/server/src/slices.ts'
import { type Pooler, startPooler } from '../support/pooler.ts'
import { makeDatabase, makeFolder, runProgram } from '../support/program.ts'

const { connection } = await makeDatabase()
const poolers: Pooler[] = []
after(async () => {
  for (const pooler of poolers) await pooler.close()
})

async function pooler(...[options]: Parameters<typeof startPooler> extends [unknown, infer O] ? [O] : never) {
  const started = await startPooler(connection, options)
  poolers.push(started)
  return started.url
}

describe('a pooler in transaction mode', () => {
  for (const isFair of [false, true])
    test(`is refused at start in one sentence${isFair ? ', even if it alternates' : ''}`, async () => {
      const given = { DATABASE_URL: await pooler({ mode: 'transaction', isFair }), DATA_DIR: makeFolder() }
      for (const command of ['serve', 'migrate']) {
        const { code, stderr } = await runProgram([command], given)
        assert.equal(code, 1)
        assert.equal(
          stderr,
          'DATABASE_URL points to a transaction pooler. Connect directly to PostgreSQL, or set DATABASE_SESSION_URL, too, to a direct connection.\n',
        )
      }
    })
})

test('a pooler that drops connection timeouts is refused', async () => {
  const url = await pooler({ mode: 'session', takesSettings: false })
  await assert.rejects(startDatabase(readSettings({ DATABASE_URL: url })), {
    message:
      'DATABASE_URL points to a pooler that rejects the startup parameters statement_timeout and lock_timeout. Connect directly to PostgreSQL.',
  })
})

test('a pooler with one server connection per client is accepted', async () => {
  const settings = readSettings({ DATABASE_URL: await pooler({ mode: 'session' }) })
  const database = await startDatabase(settings)
  await database.stop()
})
