import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, describe, test } from 'node:test'
import { must } from '@pesewa/values'
import { type MasterKey, masterKeysOf } from './master-key.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'pesewa-master-key-'))
after(() => rmSync(folder, { recursive: true }))

const secret = () => 'a secret key of at least 32 characters'
const key = randomBytes(32)

let files = 0
function write(text: string, mode = 0o600): string {
  const file = path.join(folder, `file${++files}`)
  writeFileSync(file, text)
  chmodSync(file, mode)
  return file
}
/** Returns the master key of a shell script. */
const program = (script: string): MasterKey =>
  masterKeysOf({ masterKeyCommand: write(`#!/bin/sh\n${script}\n`, 0o700) }, secret)[0]

const first = (settings: Parameters<typeof masterKeysOf>[0]) => masterKeysOf(settings, secret)[0]

describe('a master key', () => {
  const openssl = `case "$1" in
    wrap) openssl enc -aes-256-cbc -pbkdf2 -pass file:${write('a passphrase')} ;;
    unwrap) openssl enc -d -aes-256-cbc -pbkdf2 -pass file:${path.join(folder, 'file1')} ;;
  esac`
  for (const [name, master] of [
    ['derived from SECRET_KEY', first({})],
    ['in a file', first({ masterKeyFile: write(`${'k'.repeat(40)}\n`) })],
    ['behind a command', program(openssl)],
  ] as const)
    test(`${name} unwraps what it has wrapped, and the result does not contain the key`, async () => {
      const wrapped = await master.wrap(key)
      assert.ok(!wrapped.includes(key))
      assert.deepEqual(await master.unwrap(wrapped), key)
    })

  test('does not unwrap what another one has wrapped', async () => {
    const wrapped = await first({}).wrap(key)
    await assert.rejects(masterKeysOf({}, () => 'another secret key of 32 characters')[0].unwrap(wrapped))
  })

  test('that was derived from a previous SECRET_KEY can be given as a file', async () => {
    const wrapped = await first({}).wrap(key)
    const old = must(masterKeysOf({ masterKeyOldFile: write(secret()) }, () => 'z'.repeat(40))[1], 'old key')
    assert.deepEqual(await old.unwrap(wrapped), key)
  })
})

describe('a master key that cannot be used is reported without its contents', () => {
  test('a file that is missing or too short', async () => {
    await assert.rejects(
      first({ masterKeyFile: path.join(folder, 'missing') }).wrap(key),
      /MASTER_KEY_FILE: ENOENT/,
    )
    await assert.rejects(first({ masterKeyFile: write('short') }).wrap(key), /at least 32 characters/)
  })

  test('a command that fails, says nothing, says too much, or does not exist', async () => {
    const fails = program('echo "the key is $(cat)" >&2; exit 3').wrap(key)
    await assert.rejects(fails, { message: 'MASTER_KEY_COMMAND failed to wrap the key: exit code 3' })
    await assert.rejects(program('cat > /dev/null').wrap(key), /returned nothing/)
    await assert.rejects(program('head -c 100000 /dev/zero').wrap(key), /failed to wrap the key/)
    await assert.rejects(first({ masterKeyCommand: path.join(folder, 'missing') }).wrap(key), /ENOENT/)
  })
})
