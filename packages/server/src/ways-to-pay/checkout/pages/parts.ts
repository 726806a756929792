import assert from 'node:assert/strict'

/** Returns the initial of a name. For example, `Kadi's Cloth` becomes `K`. */
export const monogram = (name: string): string => name.match(/[\p{L}\p{N}]/u)?.[0].toUpperCase() ?? '•'

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
