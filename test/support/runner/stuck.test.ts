import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { endStuck } from './stuck.ts'

const signs = mkdtempSync(path.join(tmpdir(), 'pesewa-test-signs-'))
after(() => rmSync(signs, { recursive: true }))

test('a test process that hangs is killed, and its threads are reported; one that is still working is left alone', async () => {
  const start = (text: string) =>
    spawn(process.execPath, ['--import', path.resolve('test/support/runner/process.ts'), '-e', text], {
      env: { ...process.env, TEST_SIGNS: signs },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  const still = start('Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)')
  const goesOn = start(`
    const sign = process.env.TEST_SIGNS + '/' + process.pid
    setInterval(() => require('node:fs').writeFileSync(sign, 'it'), 20)`)
  const messages: string[] = []
  const looking = endStuck(signs, 4_000, (line) => messages.push(line))
  const [, signal] = await once(still, 'exit')
  clearInterval(looking)
  assert.equal(signal, 'SIGKILL')
  assert.match(messages.join('\n'), /^.* gave no sign of life for 4 s and is killed; its threads: .+$/)
  assert.deepEqual(readdirSync(signs), [String(goesOn.pid)])
  goesOn.kill()
  await once(goesOn, 'exit')
})
