import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'

/** How many functions Maglev has compiled when this process ends. */
const countByMaglev = (args: string[]): number => {
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--trace-opt', ...args], {
    encoding: 'utf8',
  })
  assert.equal(status, 0, stderr)
  return stdout.split('\n').filter((line) => /\[completed compiling .*\(target MAGLEV\)/.test(line)).length
}

/** Makes more than twenty functions hot after that, each of which Maglev would take up. */
const hot = (before: string) => [
  '--input-type=module',
  '--eval',
  `
  import { allowBackgroundCompilers } from './src/platform/background-compilers.ts'
  ${before}
  let sum = 0
  for (let i = 0; i < 20; i++) {
    const each = new Function('n', 'let sum = ' + i + '; for (let k = 0; k < 50; k++) sum += n * k % 7; return sum')
    for (let n = 0; n < 2000; n++) sum += each(n)
  }
  // A thread that compiles is waited for.
  await new Promise((resolve) => setTimeout(resolve, 200))`,
]

test('with its background compilers off nothing more is compiled by Maglev, and with them on again it is', () => {
  const asNodeIs = countByMaglev(hot(''))
  assert.ok(asNodeIs >= 20, String(asNodeIs))
  assert.ok(countByMaglev(hot('allowBackgroundCompilers(false)')) < 10)
  assert.ok(countByMaglev(hot('allowBackgroundCompilers(false); allowBackgroundCompilers(true)')) >= 20)
})

test('next to nothing of a command is compiled by Maglev, which could keep it from ending', () => {
  const asNodeIs = countByMaglev(['src/cli/command-line.ts'])
  const ofCommand = countByMaglev(['src/main.ts', 'completion', 'bash'])
  // Node itself has begun before the program can say anything.
  assert.ok(ofCommand < asNodeIs / 5, `${ofCommand} of ${asNodeIs}`)
})
