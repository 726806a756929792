import { api } from '../../api/client.ts'
import { ListPage } from '../../parts/list-page.tsx'
import { Status } from '../../parts/status.tsx'
import { Money, Time } from '../../text/format.tsx'
import { useTexts } from './texts.ts'

export default function CheckoutSessions() {
  const t = useTexts()
  return (
    <ListPage
      page="/checkout-sessions"
      of={api.checkoutSessions.list}
      file="checkout-sessions"
      empty={t.empty}
      filters={[
        { name: 'q', label: t.search, hint: t.searchHint },
        { name: 'status', label: t.status, choices: t.payStatuses },
      ]}
      isDated
      columns={[
        { label: t.name, cell: ({ name }) => name },
        { label: t.amount, isNumber: true, cell: ({ amount }) => <Money of={amount} /> },
        { label: t.status, cell: ({ status }) => <Status of={status} words={t.payStatuses[status]} /> },
        { label: t.orderNumber, cell: ({ orderNumber }) => orderNumber, isExtra: true },
        { label: t.expireTime, cell: ({ expireTime }) => <Time at={expireTime} />, isExtra: true },
        { label: t.createTime, cell: ({ createTime }) => <Time at={createTime} /> },
      ]}
      create={t.create}
    />
  )
}
