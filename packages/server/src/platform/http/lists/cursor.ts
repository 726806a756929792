import { createHash } from 'node:crypto'
import { Refusal } from '../../refusals.ts'
import type { Seals } from '../../seals.ts'

/**
 * Cursors of lists. A cursor contains the last position and is sealed together with the query it belongs to
 * (Space, environment, route, filters), so that clients can neither forge or alter a cursor nor use it with
 * another query. Cursors do not expire.
 */
export type CursorBinding = { spaceId: string; environment: string; url: string; filters: object }

export function sealCursor(seals: Seals, binding: CursorBinding, position: string): string {
  return seals.seal('cursor', `${digest(binding)} ${position}`)
}

export function openCursor(seals: Seals, binding: CursorBinding, cursor: string): string {
  const payload = seals.open('cursor', cursor)
  const [bound, position] = payload?.split(' ', 2) ?? []
  if (bound !== digest(binding) || position === undefined) throw new Refusal('cursor_invalid')
  return position
}

function digest({ spaceId, environment, url, filters }: CursorBinding): string {
  const sorted = Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1))
  const text = JSON.stringify([spaceId, environment, url, sorted])
  return createHash('sha256').update(text).digest('base64url').slice(0, 22)
}
