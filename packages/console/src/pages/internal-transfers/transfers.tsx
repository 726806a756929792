import { api } from '../../api/client.ts'
import { ListPage } from '../../parts/list-page.tsx'
import { Status, useStatusChoices } from '../../parts/status.tsx'
import { Money, Time } from '../../text/format.tsx'
import { AccountName } from './account-name.tsx'
import { useTexts } from './texts.ts'

export default function InternalTransfers() {
  const t = useTexts()
  return (
    <ListPage
      page="/internal-transfers"
      of={api.internalTransfers.list}
      file="transfers"
      empty={t.empty}
      filters={[
        { name: 'q', label: t.search, hint: t.searchHint },
        {
          name: 'status',
          label: t.status,
          choices: useStatusChoices(['pending', 'processing', 'completed', 'failed']),
        },
      ]}
      isDated
      columns={[
        { label: t.statementText, cell: ({ description }) => description || t.transfer },
        { label: t.amount, isNumber: true, cell: ({ amount }) => <Money of={amount} /> },
        {
          label: t.status,
          cell: ({ status, executeTime }) => (
            <Status of={status} words={status === 'pending' && executeTime ? t.planned : undefined} />
          ),
        },
        {
          label: t.source,
          isExtra: true,
          cell: ({ sourceFinancialAccount }) => <AccountName id={sourceFinancialAccount.id} />,
        },
        {
          label: t.destination,
          isExtra: true,
          cell: ({ destinationFinancialAccount }) => <AccountName id={destinationFinancialAccount.id} />,
        },
        { label: t.time, cell: ({ createTime }) => <Time at={createTime} /> },
      ]}
      create={t.create}
    />
  )
}
