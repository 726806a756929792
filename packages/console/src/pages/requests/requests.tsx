import { api } from '../../api/client.ts'
import { ListPage } from '../../parts/list-page.tsx'
import { Time } from '../../text/format.tsx'
import { useTexts } from './texts.ts'

const methods = { GET: 'GET', POST: 'POST', PATCH: 'PATCH', DELETE: 'DELETE' }

export default function Requests() {
  const t = useTexts()
  return (
    <ListPage
      page="/requests"
      of={api.requests.list}
      intro={t.kept}
      filters={[
        { name: 'requestId', label: t.requestId },
        { name: 'statusClass', label: t.result, choices: t.outcomes },
        { name: 'method', label: t.method, choices: methods },
        { name: 'pathPrefix', label: t.path },
        { name: 'tokenId', label: t.tokenId },
      ]}
      isDated
      columns={[
        { label: t.address, cell: ({ method, path }) => `${method} ${path}` },
        { label: t.status, isNumber: true, cell: ({ status }) => status },
        { label: t.reason, isExtra: true, cell: ({ reason }) => reason && <code>{reason}</code> },
        { label: t.duration, isNumber: true, isExtra: true, cell: ({ durationMs }) => `${durationMs} ms` },
        { label: t.time, cell: ({ timestamp }) => <Time at={timestamp} /> },
      ]}
    />
  )
}
