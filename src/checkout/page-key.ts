import type { Scope } from '../platform/scope.ts'
import { type Seals, sameText } from '../platform/seals.ts'

const purpose = 'checkout page'
const bodyLength = 44

/**
 * The address of a session's page. Its key carries environment, Space and session (33 bytes) and a tag that nobody
 * else can make: who has the link may pay, nobody can guess one, and every look-up has its Space.
 */
export function pageUrl(
  { baseUrl, seals }: { baseUrl: string; seals: Seals },
  scope: Scope,
  sessionId: string,
) {
  return `${baseUrl}/pay/${pageKey(seals, scope, sessionId)}`
}

function pageKey(seals: Seals, { environment, spaceId }: Scope, sessionId: string): string {
  const bytes = Buffer.from(
    `${environment === 'live' ? '01' : '00'}${spaceId}${sessionId}`.replaceAll('-', ''),
    'hex',
  )
  const body = bytes.toString('base64url')
  return body + seals.tag(purpose, body)
}

export function readPageKey(seals: Seals, key: string): { scope: Scope; sessionId: string } | undefined {
  const body = key.slice(0, bodyLength)
  if (!sameText(key.slice(bodyLength), seals.tag(purpose, body))) return undefined
  const hex = Buffer.from(body, 'base64url').toString('hex')
  const uuidAt = (start: number) =>
    hex.slice(start, start + 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  const environment = hex.startsWith('01') ? 'live' : 'test'
  return { scope: { spaceId: uuidAt(2), environment }, sessionId: uuidAt(34) }
}
