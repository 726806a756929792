import { useState } from 'preact/hooks'
import { useRows } from '../../api/queries.ts'
import { useMay } from '../../api/scope.tsx'
import { PagedTable } from '../../parts/list.tsx'
import { PageHead } from '../../parts/page.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../text/format.tsx'
import { useTexts } from '../../text/languages.tsx'
import { texts } from './texts.ts'
import { NewWebhookDialog } from './webhook-dialogs.tsx'

export default function Webhooks() {
  const t = useTexts(texts)
  const may = useMay()
  const [isCreating, setCreating] = useState(false)
  const read = useRows('GET /v1/webhooks', { query: { limit: 25 } })
  return (
    <>
      <PageHead title={t.webhooks}>
        {may('webhooks:write') && (
          <button type="button" class="main" onClick={() => setCreating(true)}>
            {t.create}
          </button>
        )}
      </PageHead>
      <PagedTable
        label={t.webhooks}
        read={read}
        keyOf={({ id }) => id}
        linkOf={({ id }) => `/webhooks/${id}`}
        columns={[
          { label: t.name, cell: ({ name }) => name },
          { label: t.url, cell: ({ url }) => url, isExtra: true },
          { label: t.events, cell: ({ events }) => events.join(', '), isExtra: true },
          { label: t.state, cell: ({ enabled }) => <Enabled enabled={enabled} /> },
          { label: t.time, cell: ({ createTime }) => <Time at={createTime} /> },
        ]}
      />
      {isCreating && <NewWebhookDialog onClose={() => setCreating(false)} />}
    </>
  )
}

export function Enabled({ enabled }: { enabled: boolean }) {
  const t = useTexts(texts)
  return <Status of={enabled ? 'active' : 'disabled'} words={enabled ? t.enabled : t.disabled} />
}
