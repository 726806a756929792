import * as fs from 'node:fs/promises'
import path from 'node:path'
import { readAbout } from './backup-files.ts'

// Manages the backups in one folder: complete ones, and partial ones left behind by killed processes.

const namePrefix = 'pesewa-'
const partialPrefix = '.partial-'

/** Returns the path of the complete backup with this timestamp. */
export const wholeOf = (to: string, stamp: string) => path.join(to, namePrefix + stamp)

/** Returns the path of the unfinished backup of a cluster with this timestamp. */
export const partialOf = (to: string, systemId: string, stamp: string) =>
  path.join(to, `${partialPrefix}${systemId}-${stamp}`)

/** Removes unfinished backups of this cluster that were left behind by killed processes. */
export async function removePartials(to: string, systemId: string): Promise<void> {
  for (const name of await fs.readdir(to))
    if (name.startsWith(`${partialPrefix}${systemId}-`)) await fs.rm(path.join(to, name), { recursive: true })
}

/**
 * Removes all complete backups of this cluster except the newest `keep`, and returns the paths of the backups
 * it removed.
 */
export async function pruneBackups(to: string, systemId: string, keep: number): Promise<string[]> {
  const whole = await backupsIn(to)
  const abouts = await Promise.all(whole.map((location) => readAbout(location).catch(() => undefined)))
  // An unreadable backup may be damaged or belong to someone else, so it is kept.
  const old = whole.filter((_, i) => abouts[i]?.systemId === systemId).slice(0, -keep)
  for (const location of old) {
    // Rename the backup first, so that a half-removed one does not look complete.
    const aside = partialOf(to, systemId, path.basename(location).slice(namePrefix.length))
    await fs.rename(location, aside)
    await fs.rm(aside, { recursive: true })
  }
  return old
}

/** Returns the complete backups in a folder, oldest first. */
export async function backupsIn(folder: string): Promise<string[]> {
  const names = await fs.readdir(folder)
  return names
    .filter((name) => /^pesewa-\d{8}T\d{9}Z$/.test(name))
    .sort()
    .map((name) => path.join(folder, name))
}
