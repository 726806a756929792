import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { isInstalled } from '../support/installed.ts'
import { binFolder } from './cluster.ts'
import { runInside } from './inside.ts'

/** What `npm run test:all` runs. `npm run failover` sets these variables. */
const shortRound = { FAILOVER_KILLS: '1', FAILOVER_PATRONI: '1', FAILOVER_PARTITIONS: '1' }

const missing = [
  ...(existsSync(`${binFolder}/postgres`) ? [] : ['postgresql-15']),
  ...(isInstalled('etcd') ? [] : ['etcd-server']),
  ...(isInstalled('patroni') ? [] : ['patroni']),
  ...(existsSync('/usr/sbin/haproxy') ? [] : ['haproxy']),
]
const skip =
  process.getuid?.() !== 0
    ? 'only root can create the network of this test'
    : missing.length > 0 && `not installed: ${missing.join(', ')}`

test('failovers lose and double nothing, and nodes serve again within seconds of a promotion', {
  skip,
}, async (t) => {
  let printed = ''
  const { code } = await runInside({ ...shortRound, ...process.env }, (text) => {
    printed += text
    if (process.env.FAILOVER_SHOW) process.stdout.write(text)
  })
  for (const line of printed.split('\n')) if (line.startsWith('round ')) t.diagnostic(line)
  assert.equal(code, 0, printed)
})
