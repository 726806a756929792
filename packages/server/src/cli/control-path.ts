import { createHash } from 'node:crypto'
import path from 'node:path'
import type { PlatformSettings } from '../platform/config.ts'
import { programVersion } from '../platform/version.ts'

/** Socket in the data folder on which a node answers the commands of its own operator. */
export const controlPath = (dataDir: string): string => path.resolve(dataDir, 'control.sock')

/**
 * Header that names the operator of a command, for audit entries. URL-encoded, because names can be in any script.
 */
export const operatorHeader = 'pesewa-operator'
/**
 * Header that identifies the node that a command is meant for. A node refuses calls that are meant for another one.
 */
export const nodeHeader = 'pesewa-node'

/**
 * Returns what a node and a command must have in common: the version of the program, and the database. It reveals
 * nothing about the URL of the database, which contains a password.
 */
export const nodeIdentity = ({ databaseUrl = '' }: Pick<PlatformSettings, 'databaseUrl'>): string =>
  createHash('sha256').update(`${programVersion()} ${databaseUrl}`).digest('base64url')
