// The server's log, which consists of one file of limited size and the previous file.

import * as fs from 'node:fs/promises'
import { failureIn, ignore } from './failure.ts'

const limitBytes = 8 * 1024 * 1024

export interface ServerLog {
  path: string
  file: fs.FileHandle
  /** Offset in the file at which the output of the current start begins. */
  startBytes: number
}

export async function openLog(path: string): Promise<ServerLog> {
  await boundLog(path)
  const file = await fs.open(path, 'a', 0o600)
  return { path, file, startBytes: (await file.stat()).size }
}

// The file is truncated instead of renamed, because the server keeps it open and can outlive this process.
export async function boundLog(path: string): Promise<void> {
  const log = await fs.stat(path).catch(ignore('ENOENT'))
  if (!log || log.size <= limitBytes) return
  // A full disk must not prevent the truncation.
  await fs.copyFile(path, `${path}.1`).catch(ignore('ENOSPC', 'EDQUOT'))
  await fs.truncate(path)
}

export const failureOf = async ({ path, startBytes }: ServerLog): Promise<string> =>
  failureIn((await fs.readFile(path)).subarray(startBytes).toString())
