import { Link } from 'wouter-preact'
import { api } from '../../api/client.ts'
import { usePermissions } from '../../api/scope.tsx'
import { ListPage } from '../../parts/list-page.tsx'
import { Status } from '../../parts/status.tsx'
import { Money, Time } from '../../text/format.tsx'
import { useTexts } from '../../text/languages.tsx'
import { words } from '../../text/words.ts'
import { texts } from './texts.ts'

export default function CheckoutSessions() {
  const t = useTexts(texts)
  const w = useTexts(words)
  const may = usePermissions()
  return (
    <ListPage
      title={t.links}
      of={api.checkoutSessions.list}
      file="checkout-sessions.csv"
      empty={t.empty}
      filters={[
        { name: 'q', label: w.search, hint: t.searchHint },
        { name: 'status', label: w.status, choices: t.statuses },
        { name: 'from', label: w.from, type: 'date' },
        { name: 'to', label: w.to, type: 'date' },
      ]}
      linkOf={({ id }) => `/checkout-sessions/${id}`}
      columns={[
        { label: w.name, cell: ({ name }) => name },
        { label: w.amount, isNumber: true, cell: ({ amount }) => <Money of={amount} /> },
        { label: w.status, cell: ({ status }) => <Status of={status} words={t.statuses[status]} /> },
        { label: w.orderNumber, cell: ({ orderNumber }) => orderNumber, isExtra: true },
        { label: w.expireTime, cell: ({ expireTime }) => <Time at={expireTime} />, isExtra: true },
        { label: w.createTime, cell: ({ createTime }) => <Time at={createTime} /> },
      ]}
    >
      {may('checkout-sessions:write') && (
        <Link class="button main" href="/checkout-sessions/new">
          {t.create}
        </Link>
      )}
    </ListPage>
  )
}
