import { statSync } from 'node:fs'
import type { ProviderConnection } from './connections.ts'

/**
 * When a connection's credentials were last written: the oldest of its secret files or, if it has none,
 * `providersFile`. `null` if no file exists.
 */
export const credentialsTimeOf = (
  { files }: ProviderConnection,
  providersFile: string | undefined,
): Date | null =>
  (files?.paths ?? [providersFile ?? []].flat())
    .flatMap((path) => statSync(path, { throwIfNoEntry: false })?.mtime ?? [])
    .toSorted((a, b) => a.getTime() - b.getTime())[0] ?? null
