import { useParams } from 'wouter-preact'
import { api } from '../../api/client.ts'
import { useRead } from '../../api/queries.ts'
import { CopyText } from '../../parts/copy.tsx'
import { ErrorNotice, Loading } from '../../parts/notices.tsx'
import { Facts, PageHead } from '../../parts/page.tsx'
import { Time } from '../../text/format.tsx'
import { useTexts } from './texts.ts'

export default function RequestPage() {
  const t = useTexts()
  const { id = '' } = useParams()
  const { data: request, error } = useRead(api.requests.retrieve, [id])
  if (error) return <ErrorNotice error={error} />
  if (!request) return <Loading />
  const { method, path, status, reason, caller, body } = request
  return (
    <>
      <PageHead title={`${method} ${path}`} above="/requests" />
      <Facts
        of={[
          [t.status, status],
          [t.reason, reason && <code>{reason}</code>],
          [t.time, <Time at={request.timestamp} />],
          [t.duration, `${request.durationMs} ms`],
          [t[caller.type], <CopyText text={caller.id} />],
          [t.id, <CopyText text={request.id} />],
        ]}
      />
      <section>
        <h2>{t.body}</h2>
        {body === null ? <p class="muted">{t.noBody}</p> : <pre>{readable(body)}</pre>}
        {body !== null && <p class="muted">{t.masked}</p>}
        {request.isBodyCut && <p class="muted">{t.cut}</p>}
      </section>
    </>
  )
}

/** Indents JSON. A truncated body is not valid JSON and is returned unchanged. */
function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
