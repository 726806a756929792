// File helpers that Node does not provide.

import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import * as fs from 'node:fs/promises'
import { codeOf, ignore } from './failure.ts'

export const isPresent = async (path: string): Promise<boolean> =>
  (await fs.lstat(path).catch(ignore('ENOENT'))) !== undefined

export function readIfPresent(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    // ESRCH means that the process exited while its file was being read.
    if (['ENOENT', 'ESRCH'].includes(codeOf(error))) return ''
    throw error
  }
}

export const randomName = (): string => randomBytes(6).toString('hex')

// Flushes a folder to disk, which makes renames of files in it durable.
export async function sync(folder: string): Promise<void> {
  const handle = await fs.open(folder)
  await handle.sync()
  await handle.close()
}
