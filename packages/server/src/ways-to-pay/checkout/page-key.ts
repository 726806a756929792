import { sameText } from '@pesewa/values'
import type { LRUCache } from 'lru-cache'
import { createCache } from '../../platform/cache.ts'
import { globalName } from '../../platform/db/scoped.ts'
import type { Scope } from '../../platform/scope.ts'
import type { Seals } from '../../platform/seals.ts'

const pages = 'checkout page'
const bodyLength = 44

/**
 * Returns the URL of a session's page. The key in it encodes the environment, Space and session (33 bytes) and
 * an authentication tag. The key is a capability and cannot be guessed. It also identifies the Space for every
 * look-up.
 */
export function pageUrl(
  { baseUrl, seals }: { baseUrl: string; seals: Seals },
  scope: Scope,
  sessionId: string,
) {
  return `${baseUrl}/pay/${pageKey(seals, scope, sessionId)}`
}

/**
 * The keys of sessions that were shown recently. Merchants poll and list their sessions, and creating the key would
 * take an eighth of the time of such a request.
 */
const recentKeys = new WeakMap<Seals, LRUCache<string, string>>()
const maxRecentKeys = 10_000 // keys of payment pages that a node remembers

function pageKey(seals: Seals, scope: Scope, sessionId: string): string {
  const recent = recentKeys.get(seals) ?? createCache<string, string>({ max: maxRecentKeys })
  recentKeys.set(seals, recent)
  const name = globalName(scope, sessionId)
  const key = recent.get(name) ?? capabilityKey(seals, pages, scope, sessionId)
  recent.set(name, key)
  return key
}

/** Returns an authenticated key of 66 characters for an object. The key is valid only for the given purpose. */
export function capabilityKey(
  seals: Seals,
  purpose: string,
  { environment, spaceId }: Scope,
  id: string,
): string {
  const bytes = Buffer.from(
    `${environment === 'live' ? '01' : '00'}${spaceId}${id}`.replaceAll('-', ''),
    'hex',
  )
  const body = bytes.toString('base64url')
  return body + seals.tag(purpose, body)
}

export function readPageKey(seals: Seals, key: string): { scope: Scope; sessionId: string } | undefined {
  const named = readCapabilityKey(seals, pages, key)
  return named && { scope: named.scope, sessionId: named.id }
}

export function readCapabilityKey(
  seals: Seals,
  purpose: string,
  key: string,
): { scope: Scope; id: string } | undefined {
  const body = key.slice(0, bodyLength)
  if (!sameText(key.slice(bodyLength), seals.tag(purpose, body))) return undefined
  const hex = Buffer.from(body, 'base64url').toString('hex')
  const uuidAt = (start: number) =>
    hex.slice(start, start + 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  const environment = hex.startsWith('01') ? 'live' : 'test'
  return { scope: { spaceId: uuidAt(2), environment }, id: uuidAt(34) }
}
