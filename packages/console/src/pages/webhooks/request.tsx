import { useRef } from 'preact/hooks'
import type { api, ResultOf } from '../../api/client.ts'
import { usePermissions } from '../../api/scope.tsx'
import { CopyButton } from '../../parts/copy.tsx'
import { Section } from '../../parts/page.tsx'
import { HeaderTable } from './attempt.tsx'
import { curlOf, formatJson } from './payload.ts'
import { useTexts } from './texts.ts'

type Sent = NonNullable<ResultOf<typeof api.deliveries.retrieve>['request']>

/** The request of a delivery: its payload, its headers and a command that repeats it. */
export function RequestView({ of: request }: { of: Sent }) {
  const t = useTexts()
  const may = usePermissions()
  const payload = useRef<HTMLPreElement>(null)
  const command = useRef<HTMLPreElement>(null)
  const shown = useSteady(request)
  const curl = curlOf(shown)
  return (
    <>
      <Section
        title={t.payload}
        more={<CopyButton text={shown.body} shown={payload} about={t.payload} class="quiet small" />}
      >
        <pre ref={payload}>{formatJson(shown.body)}</pre>
      </Section>
      <Section title={t.request}>
        <p class="muted">{t.requestText}</p>
        <p>
          <code>
            {shown.method} {shown.url}
          </code>
        </p>
        <HeaderTable label={t.headers} headers={shown.headers} />
      </Section>
      <Section
        title={t.curl}
        more={<CopyButton text={curl} shown={command} about={t.curl} class="quiet small" />}
      >
        <p class="muted">{may('webhooks:write') ? t.curlText : t.curlMasked}</p>
        <pre ref={command}>{curl}</pre>
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
