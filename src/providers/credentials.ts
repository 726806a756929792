import { statSync } from 'node:fs'
import type { ProviderConnection } from './connections.ts'

/**
 * When the credentials of a connection were written: of several files the one that was written least recently counts;
 * without any, `providersFile`. `null` where no file is there.
 */
export const credentialsTimeOf = (
  { files }: ProviderConnection,
  providersFile: string | undefined,
): Date | null =>
  (files?.paths ?? [providersFile ?? []].flat())
    .flatMap((path) => statSync(path, { throwIfNoEntry: false })?.mtime ?? [])
    .toSorted((a, b) => a.getTime() - b.getTime())[0] ?? null
