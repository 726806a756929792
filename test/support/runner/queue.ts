import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { after, describe, mock, test } from 'node:test'
import { closeAll } from './ending.ts'
import { giveSign } from './process.ts'

/**
 * One of the processes that share the test files of a run: the program is loaded once for many files. Each takes the next
 * file that none has: whoever makes the folder of a file's number has it.
 */
export type Queue = { files: string[]; folder: string; timeoutMs: number }

const { files, folder, timeoutMs }: Queue = JSON.parse(process.env.TEST_QUEUE ?? 'null')

// A test that mocks timers may leave nothing else to wait for.
const alive = setInterval(() => {}, 2 ** 31 - 1)
for (const [number, file] of files.entries()) if (isOurs(number)) await runFile(file)
await closeAll()
clearInterval(alive)
// What a file that failed to load has left open is not waited for.
setTimeout(() => process.exit(), 10_000).unref()

/** Each file is a suite: its tests begin when it is loaded whole, as in a process of its own. */
async function runFile(file: string): Promise<void> {
  giveSign(file)
  const ended = Promise.withResolvers<void>()
  const givenUp = setTimeout(ended.resolve, 2 * timeoutMs)
  describe(file, { timeout: timeoutMs }, async () => {
    after(() => ended.resolve())
    // The runner says that a suite failed to load, not why.
    await import(path.resolve(file)).catch((error) => {
      test('loads', () => Promise.reject(error))
    })
  })
  await ended.promise
  clearTimeout(givenUp)
  mock.reset()
}

function isOurs(number: number): boolean {
  try {
    mkdirSync(path.join(folder, String(number)))
    return true
  } catch {
    return false
  }
}
