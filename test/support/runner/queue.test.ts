import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'

const errors = { throws: "throw new Error('boom')", rejects: "Promise.reject(new Error('boom'))" }

for (const [name, statement] of Object.entries(errors))
  test(`a run fails and names the file if something that a test started ${name}, although the test passes`, () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'pesewa-test-queue-'))
    const file = path.join(folder, 'stray.test.mjs')
    writeFileSync(
      file,
      `import { test } from 'node:test'
      import { setTimeout as sleep } from 'node:timers/promises'
      test('passes', async () => { setTimeout(() => { ${statement} }, 1); await sleep(30) })`,
    )
    mkdirSync(path.join(folder, 'taken'))
    const queue = { files: [file], folder: path.join(folder, 'taken'), timeoutMs: 10_000 }
    const { NODE_TEST_CONTEXT: _, ...env } = process.env
    const at = (name: string) => path.join(import.meta.dirname, name)
    const { status, stderr } = spawnSync(process.execPath, ['--import', at('process.ts'), at('queue.ts')], {
      env: { ...env, TEST_QUEUE: JSON.stringify(queue) },
      encoding: 'utf8',
    })
    rmSync(folder, { recursive: true })
    assert.equal(status, 1)
    assert.ok(stderr.includes(`${file} was running: Error: boom`), stderr)
  })
