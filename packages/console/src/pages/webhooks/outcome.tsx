import { Status } from '../../parts/status.tsx'
import { useTexts } from './texts.ts'

/** The result of an attempt: the HTTP status of the response, or the reason why there was none. */
type Attempted = { statusCode: number | null; error: string | null }

export const isAccepted = ({ statusCode }: Attempted) =>
  statusCode !== null && statusCode >= 200 && statusCode < 300

/** The HTTP status of a response, in green if the endpoint accepted the event, otherwise in red. */
export function Outcome({ of: attempt }: { of: Attempted }) {
  const t = useTexts()
  const words = attempt.statusCode === null ? t.noResponse : t.responded(attempt.statusCode)
  return <Status of={isAccepted(attempt) ? 'delivered' : 'failed'} words={words} />
}

/** Returns a function that explains a failed attempt and tells the user what to check. */
export function useReason(): (attempt: Attempted) => string {
  const { reasons } = useTexts()
  return ({ statusCode, error }) =>
    statusCode === null ? (reasons[error ?? ''] ?? error ?? '') : (reasons[kindOf(statusCode)] ?? '')
}

const kinds: Record<number, string> = {
  401: 'access',
  403: 'access',
  404: 'url',
  405: 'url',
  410: 'url',
  429: 'busy',
}

const kindOf = (statusCode: number): string => {
  if (statusCode >= 500) return 'broken'
  return kinds[statusCode] ?? (statusCode >= 400 ? 'rejected' : 'redirect')
}
