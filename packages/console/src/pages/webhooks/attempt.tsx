import type { api, ResultOf } from '../../api/client.ts'
import { Time } from '../../text/format.tsx'
import { isAccepted, Outcome, useReason } from './outcome.tsx'
import { formatJson, headerLines } from './payload.ts'
import { useTexts } from './texts.ts'

type Attempt = ResultOf<typeof api.deliveries.retrieve>['attempts'][number]

/** An attempt with the response to it: status, headers and body. */
export function AttemptCard({ of: attempt, isOpen = false }: { of: Attempt; isOpen?: boolean }) {
  const t = useTexts()
  const reasonOf = useReason()
  return (
    <details class="card attempt" open={isOpen}>
      <summary>
        <Outcome of={attempt} /> <Time at={attempt.time} />{' '}
        <span class="muted number-text">{attempt.durationMs} ms</span>
      </summary>
      {!isAccepted(attempt) && <p>{reasonOf(attempt)}</p>}
      {attempt.statusCode !== null && (
        <>
          <h3>{t.body}</h3>
          {attempt.responseBody ? (
            <pre>{formatJson(attempt.responseBody)}</pre>
          ) : (
            <p class="muted">{t.emptyBody}</p>
          )}
        </>
      )}
      {attempt.responseHeaders && attempt.responseHeaders.length > 0 && (
        <>
          <h3>{t.headers}</h3>
          <pre>{headerLines(attempt.responseHeaders)}</pre>
        </>
      )}
    </details>
  )
}
