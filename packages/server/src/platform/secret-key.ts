import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { codeOf } from '@pesewa/values'
import { ConfigError, type PlatformSettings } from './config.ts'
import { minSecretLength } from './setting-values.ts'

/**
 * Returns the configured secret. If none is configured, returns the one that was generated once and stored in
 * the data folder, where only its owner can read it.
 */
export function readSecretKey(settings: PlatformSettings): string {
  if (settings.secretKey) return settings.secretKey
  const file = path.join(settings.dataDir, 'secret.key')
  mkdirSync(settings.dataDir, { recursive: true, mode: 0o700 })
  if (!existsSync(file)) createSecretKey(file)
  const key = readFileSync(file, 'utf8').trim()
  if (key.length < minSecretLength)
    throw new ConfigError(
      `${file} no longer contains a secret: restore it, or remove it to generate a new one`,
    )
  return key
}

/** Returns whether a secret already exists. Unlike `readSecretKey`, it never creates one. */
export const hasSecretKey = ({ secretKey, dataDir }: PlatformSettings): boolean =>
  secretKey !== undefined || existsSync(path.join(dataDir, 'secret.key'))

/**
 * Creates the file atomically, with a new secret, and flushes it to disk. If two programs start at the same
 * time, only one of them creates it.
 */
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
