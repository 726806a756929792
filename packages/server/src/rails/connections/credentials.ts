import { statSync } from 'node:fs'
import type { ProviderConnection } from './connections.ts'

/**
 * Returns the time at which a connection's credentials were last changed: the modification time of its oldest
 * secret file or, if it has none, of `providersFile`. Returns `null` if no file exists.
 */
export const credentialsTimeOf = (
  { files }: ProviderConnection,
  providersFile: string | undefined,
): Date | null =>
  (files?.paths ?? [providersFile ?? []].flat())
    .flatMap((path) => statSync(path, { throwIfNoEntry: false })?.mtime ?? [])
    .toSorted((a, b) => a.getTime() - b.getTime())[0] ?? null
