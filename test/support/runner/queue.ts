import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { after, describe, mock, test } from 'node:test'
import { closeAll } from './ending.ts'
import { giveSign, trackPromises } from './process.ts'

/**
 * The queue of one of the processes that share the test files of a run, so that the program is loaded once for
 * many files. A process claims a file by creating the folder with the file's number.
 */
export type Queue = { files: string[]; folder: string; timeoutMs: number }

const { files, folder, timeoutMs }: Queue = JSON.parse(process.env.TEST_QUEUE ?? 'null')

// The runner fails the run, but shows neither the file nor the stack, because it tracks no promises while tests run.
let running = ''
for (const event of ['uncaughtException', 'unhandledRejection'])
  process.on(event, (error) => console.error(`error outside a test while ${running} was running:`, error))

// A test that mocks timers may leave nothing else that keeps the process alive.
const alive = setInterval(() => {}, 2 ** 31 - 1)
for (const [number, file] of files.entries()) if (isOurs(number)) await runFile(file)
await closeAll()
clearInterval(alive)
// Do not wait for resources that were left open by a file that failed to load.
setTimeout(() => process.exit(), 10_000).unref()

/** Runs a file as a suite: its tests begin when the whole file is loaded, as in a separate process. */
async function runFile(file: string): Promise<void> {
  running = file
  giveSign(file)
  trackPromises(true)
  const ended = Promise.withResolvers<void>()
  const givenUp = setTimeout(ended.resolve, 2 * timeoutMs)
  describe(file, { timeout: timeoutMs }, async () => {
    after(() => ended.resolve())
    // The runner reports that a suite failed to load, but not why.
    await import(path.resolve(file)).catch((error) => {
      test('loads', () => Promise.reject(error))
    })
    trackPromises(false)
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
