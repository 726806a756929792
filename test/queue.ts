import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { mock, test } from 'node:test'

/**
 * One of the processes that share the test files of a run: the program is loaded once for many files. Each takes the next
 * file that none has: whoever makes the folder of a file's number has it.
 */
export type Queue = { files: string[]; folder: string; timeoutMs: number }

const { files, folder, timeoutMs }: Queue = JSON.parse(process.env.TEST_QUEUE ?? 'null')

for (const [number, file] of files.entries()) {
  if (!isOurs(number)) continue
  await test(file, { timeout: timeoutMs }, () => import(path.resolve(file)))
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
