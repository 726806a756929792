import type { api, ResultOf } from '../../../api/client.ts'
import { Status } from '../../../parts/status.tsx'
import { useTexts } from './texts.ts'

export type Connection = ResultOf<typeof api.installation.providers.retrieve>['connections'][number]
export type SuccessStats = Connection['collect']['lastHour']

/**
 * Returns the state to show for a connection. Pauses are checked first, because a paused connection is also
 * closed, and its circuit breaker may be open.
 */
function stateOf({
  isOpen,
  pauses,
  restsUntil,
}: Connection): 'open' | 'paused' | 'partly' | 'rests' | 'closed' {
  if (!isOpen && pauses.length === 0) return 'closed'
  const paused = new Set(pauses.map(({ direction }) => direction))
  if (paused.size > 1) return 'paused'
  if (paused.size === 1) return 'partly'
  return restsUntil ? 'rests' : 'open'
}

const toneOf = { open: 'active', paused: 'failed', partly: 'open', rests: 'open', closed: 'closed' }

export function ConnectionStatus({ of }: { of: Connection }) {
  const t = useTexts()
  const state = stateOf(of)
  return <Status of={toneOf[state]} words={t.states[state]} />
}

export function Success({ of: { succeeded, failed, percent } }: { of: SuccessStats }) {
  const t = useTexts()
  return percent === null ? (
    <span class="muted">{t.nothing}</span>
  ) : (
    <span>{t.success(percent, succeeded + failed)}</span>
  )
}
