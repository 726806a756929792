import assert from 'node:assert/strict'

/** Returns one or two initials of a name. For example, `Orange Money` becomes `OM`. */
export function monogram(name: string): string {
  const initials = (name.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => [...word][0] ?? '')
  return initials.slice(0, 2).join('').toUpperCase() || '•'
}

/** Returns an external URL, or `undefined` if its protocol is not allowed. */
export function safeUrl(url: string | undefined, protocols: readonly string[]): string | undefined {
  if (url === undefined || !URL.canParse(url)) return undefined
  const parsed = new URL(url)
  return protocols.includes(parsed.protocol) ? parsed.href : undefined
}

export function ownPath(path: string): string {
  assert(/^\/(?![/\\])/.test(path), 'a form action or link must be a path on this server')
  return path
}
