import type { api, ResultOf } from '../../api/client.ts'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../text/format.tsx'
import { isAccepted, Outcome, useReason } from './outcome.tsx'
import { formatJson } from './payload.ts'
import { useTexts } from './texts.ts'

export type Attempt = ResultOf<typeof api.deliveries.retrieve>['attempts'][number]

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
      {attempt.responseHeaders && attempt.responseHeaders.length > 0 && (
        <HeaderTable label={t.headers} headers={attempt.responseHeaders} />
      )}
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
    </details>
  )
}

type Header = { name: string; value: string }

export function HeaderTable({ label, headers }: { label: string; headers: readonly Header[] }) {
  const t = useTexts()
  return (
    <>
      <h3>{label}</h3>
      <Table
        label={label}
        rows={headers}
        keyOf={({ name, value }) => `${name} ${value}`}
        columns={[
          { label: t.header, cell: ({ name }) => <code>{name}</code> },
          { label: t.value, cell: ({ value }) => <code>{value}</code> },
        ]}
      />
    </>
  )
}
