import { api } from '../../api/client.ts'
import { ListPage } from '../../parts/list-page.tsx'
import { Status } from '../../parts/status.tsx'
import { Money, Time } from '../../text/format.tsx'
import { useTexts } from './texts.ts'

export default function PaymentLinks() {
  const t = useTexts()
  return (
    <ListPage
      page="/payment-links"
      of={api.paymentLinks.list}
      file="payment-links"
      empty={t.empty}
      filters={[
        { name: 'q', label: t.search, hint: t.searchHint },
        { name: 'status', label: t.status, choices: t.statuses },
      ]}
      isDated
      columns={[
        { label: t.name, cell: ({ name }) => name },
        {
          label: t.amount,
          isNumber: true,
          cell: ({ amount }) => (amount ? <Money of={amount} /> : t.enteredByPayer),
        },
        { label: t.status, cell: ({ status }) => <Status of={status} words={t.statuses[status]} /> },
        {
          label: t.payments,
          isNumber: true,
          cell: ({ paymentCount, maxPayments }) =>
            maxPayments === null ? paymentCount : `${paymentCount} / ${maxPayments}`,
        },
        {
          label: t.paid,
          isNumber: true,
          cell: ({ paymentTotal }) => <Money of={paymentTotal} />,
          isExtra: true,
        },
        { label: t.createTime, cell: ({ createTime }) => <Time at={createTime} />, isExtra: true },
      ]}
      create={t.create}
    />
  )
}
