import * as fs from 'node:fs/promises'
import path from 'node:path'
import { readAbout } from './backup-files.ts'

// The backups in one folder, whole ones and what is left of those that were killed.

const namePrefix = 'pesewa-'
const partialPrefix = '.partial-'

/** Where a whole backup is, by its time. */
export const wholeOf = (to: string, stamp: string) => path.join(to, namePrefix + stamp)

/** Where one is that is not whole. */
export const partialOf = (to: string, systemId: string, stamp: string) =>
  path.join(to, `${partialPrefix}${systemId}-${stamp}`)

/** Removes what killed backups of one cluster left behind. */
export async function removePartials(to: string, systemId: string): Promise<void> {
  for (const name of await fs.readdir(to))
    if (name.startsWith(`${partialPrefix}${systemId}-`)) await fs.rm(path.join(to, name), { recursive: true })
}

/** Removes all whole backups of one cluster but the newest, and returns where they were. */
export async function pruneBackups(to: string, systemId: string, keep: number): Promise<string[]> {
  const whole = await backupsIn(to)
  const abouts = await Promise.all(whole.map((location) => readAbout(location).catch(() => undefined)))
  // What cannot be read is somebody else's, or damaged: no reason to remove it.
  const old = whole.filter((_, i) => abouts[i]?.systemId === systemId).slice(0, -keep)
  for (const location of old) {
    // Renamed first: one that is half removed does not look whole.
    const aside = partialOf(to, systemId, path.basename(location).slice(namePrefix.length))
    await fs.rename(location, aside)
    await fs.rm(aside, { recursive: true })
  }
  return old
}

/** The whole backups in a folder, the oldest first. */
export async function backupsIn(folder: string): Promise<string[]> {
  const names = await fs.readdir(folder)
  return names
    .filter((name) => /^pesewa-\d{8}T\d{9}Z$/.test(name))
    .sort()
    .map((name) => path.join(folder, name))
}
