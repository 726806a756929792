import assert from 'node:assert/strict'

/** One or two letters that stand for a name: `Orange Money` → `OM`. */
export function monogram(name: string): string {
  const initials = (name.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => [...word][0] ?? '')
  return initials.slice(0, 2).join('').toUpperCase() || '•'
}

/** An address from outside may be linked or loaded only as what it claims to be. */
export function safeUrl(url: string | undefined, protocols: readonly string[]): string | undefined {
  if (url === undefined || !URL.canParse(url)) return undefined
  const parsed = new URL(url)
  return protocols.includes(parsed.protocol) ? parsed.href : undefined
}

export function ownPath(path: string): string {
  assert(/^\/(?![/\\])/.test(path), 'a form or link of ours must be a path on this server')
  return path
}
