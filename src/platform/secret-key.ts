import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { ConfigError, type PlatformSettings } from './config.ts'
import { codeOf } from './errors.ts'
import { minSecretLength } from './setting-values.ts'

/** The configured secret, or one generated once and stored in the data folder, readable by its owner only. */
export function readSecretKey(settings: PlatformSettings): string {
  if (settings.secretKey) return settings.secretKey
  const file = path.join(settings.dataDir, 'secret.key')
  mkdirSync(settings.dataDir, { recursive: true, mode: 0o700 })
  if (!existsSync(file)) createSecretKey(file)
  const key = readFileSync(file, 'utf8').trim()
  if (key.length < minSecretLength)
    throw new ConfigError(`${file} holds no secret any more: restore it, or remove it to have a new one made`)
  return key
}

/** Whether there is a secret already: reading it would make one. */
export const hasSecretKey = ({ secretKey, dataDir }: PlatformSettings): boolean =>
  secretKey !== undefined || existsSync(path.join(dataDir, 'secret.key'))

/** The file appears whole and on the disk, or not at all; of two programs that start at once one makes it. */
function createSecretKey(file: string): void {
  const unfinished = `${file}.${randomBytes(6).toString('hex')}`
  writeFileSync(unfinished, randomBytes(32).toString('base64url'), { mode: 0o600, flush: true })
  try {
    linkSync(unfinished, file)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  } finally {
    rmSync(unfinished)
  }
}
