import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeDatabase, makeFolder, startProgram } from '../support/program.ts'

const unset = { SIMULATOR: '' }

test('a serving node simulates no providers by default, and says so', async () => {
  const { url } = await makeDatabase()
  const off = await startProgram(['serve'], { DATABASE_URL: url, DATA_DIR: makeFolder(), ...unset })
  assert.equal((await fetch(`${off.baseUrl}/simulator`)).status, 404)
  const { stderr } = await off.stop()
  assert.match(stderr, /SIMULATOR is off: no providers are connected in the test environment/)
})

test('pesewa start simulates them by default, and has a demo with or without them', async () => {
  const database = async () => ({ DATABASE_URL: (await makeDatabase()).url, DATA_DIR: makeFolder() })
  const on = await startProgram(['start'], { ...(await database()), ...unset })
  assert.equal((await fetch(`${on.baseUrl}/simulator`)).status, 200)
  await on.stop()
  const off = await startProgram(['start'], { ...(await database()), SIMULATOR: 'off' })
  assert.equal((await fetch(`${off.baseUrl}/simulator`)).status, 404)
  assert.match(off.stdout(), /The simulator is off: payments cannot be made in the test environment/)
  assert.doesNotMatch(off.stdout(), /Pay this checkout/)
  assert.equal((await off.stop()).code, 0)
})
