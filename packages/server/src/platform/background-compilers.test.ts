import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'

/** Returns how many functions Maglev has compiled by the time the process exits. */
const countByMaglev = (args: string[]): number => {
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--trace-opt', ...args], {
    encoding: 'utf8',
  })
  assert.equal(status, 0, stderr)
  return stdout.split('\n').filter((line) => /\[completed compiling .*\(target MAGLEV\)/.test(line)).length
}

/**
 * Returns arguments that run this code and then make more than twenty functions hot, so that Maglev would
 * compile each of them.
 */
const hot = (before: string) => [
  '--input-type=module',
  '--eval',
  `
  import { allowBackgroundCompilers } from './packages/server/src/platform/background-compilers.ts'
  ${before}
  let sum = 0
  for (let i = 0; i < 20; i++) {
    const each = new Function('n', 'let sum = ' + i + '; for (let k = 0; k < 50; k++) sum += n * k % 7; return sum')
    for (let n = 0; n < 2000; n++) sum += each(n)
  }
  // A thread that compiles is waited for.
  await new Promise((resolve) => setTimeout(resolve, 200))`,
]

test('Maglev compiles nothing while background compilers are off, and resumes when they are on', () => {
  const asNodeIs = countByMaglev(hot(''))
  assert.ok(asNodeIs >= 20, String(asNodeIs))
  assert.ok(countByMaglev(hot('allowBackgroundCompilers(false)')) < 10)
  assert.ok(countByMaglev(hot('allowBackgroundCompilers(false); allowBackgroundCompilers(true)')) >= 20)
})

test('Maglev compiles almost nothing of a command, so it cannot keep the command from exiting', () => {
  const asNodeIs = countByMaglev(['packages/server/src/cli/command-line.ts'])
  const ofCommand = countByMaglev(['packages/server/src/main.js', 'completion', 'bash'])
  // Node starts compiling before the program runs.
  assert.ok(ofCommand < asNodeIs / 5, `${ofCommand} of ${asNodeIs}`)
})
