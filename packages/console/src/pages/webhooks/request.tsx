import { useRef } from 'preact/hooks'
import type { api, ResultOf } from '../../api/client.ts'
import { usePermissions } from '../../api/scope.tsx'
import { CopyButton } from '../../parts/copy.tsx'
import { Section } from '../../parts/page.tsx'
import { curlOf, formatJson, headerLines } from './payload.ts'
import { useTexts } from './texts.ts'

type Sent = NonNullable<ResultOf<typeof api.deliveries.retrieve>['request']>

/** The request of a delivery: its headers, a command that repeats it, and its payload. */
export function RequestView({ of: request }: { of: Sent }) {
  const t = useTexts()
  const may = usePermissions()
  const payload = useRef<HTMLPreElement>(null)
  const command = useRef<HTMLPreElement>(null)
  const shown = useSteady(request)
  const curl = curlOf(shown)
  return (
    <>
      <Section title={t.request}>
        <p class="hint muted">{t.requestText}</p>
        <pre>{`${shown.method} ${shown.url}\n\n${headerLines(shown.headers)}`}</pre>
      </Section>
      <Section
        title={t.curl}
        more={<CopyButton text={curl} shown={command} about={t.curl} class="quiet small" />}
      >
        <p class="hint muted">{may('webhooks:write') ? t.curlText : t.curlMasked}</p>
        <pre ref={command}>{curl}</pre>
      </Section>
      <Section
        title={t.payload}
        more={<CopyButton text={shown.body} shown={payload} about={t.payload} class="quiet small" />}
      >
        <pre ref={payload}>{formatJson(shown.body)}</pre>
      </Section>
    </>
  )
}

const renewedAfterSeconds = 60

/** Keeps a request for a minute, because each read signs it again, and text that changes cannot be selected. */
function useSteady(request: Sent): Sent {
  const kept = useRef(request)
  const ageSeconds = timestampOf(request) - timestampOf(kept.current)
  if (!(ageSeconds >= 0 && ageSeconds < renewedAfterSeconds)) kept.current = request
  return kept.current
}

const timestampOf = ({ headers }: Sent) =>
  Number(headers.find(({ name }) => name === 'webhook-timestamp')?.value)
