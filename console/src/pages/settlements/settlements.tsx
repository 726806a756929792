import { api } from '../../api/client.ts'
import { usePermissions } from '../../api/scope.tsx'
import { DialogButton } from '../../parts/dialog.tsx'
import { ListPage } from '../../parts/list-page.tsx'
import { ProviderName } from '../../parts/providers.tsx'
import { Status, useStatusChoices } from '../../parts/status.tsx'
import { Money } from '../../text/format.tsx'
import { NewSettlementDialog } from './new-dialog.tsx'
import { useTexts } from './texts.ts'

/** The page that lists settlements: provider payouts to the bank, and float top-ups. */
export default function Settlements() {
  const t = useTexts()
  const may = usePermissions()
  return (
    <ListPage
      page="/settlements"
      of={api.settlements.list}
      empty={t.empty}
      filters={[
        { name: 'bankReference', label: t.bankReference, type: 'search' },
        { name: 'status', label: t.status, choices: useStatusChoices(['booked', 'reversed']) },
      ]}
      isDated
      columns={[
        { label: t.type, cell: ({ kind }) => t.kinds[kind] },
        { label: t.amount, isNumber: true, cell: ({ amount }) => <Money of={amount} /> },
        { label: t.provider, cell: ({ providerId }) => <ProviderName id={providerId} /> },
        { label: t.bankReference, isExtra: true, cell: ({ bankReference }) => bankReference },
        { label: t.valueDate, isExtra: true, cell: ({ valueDate }) => valueDate },
        { label: t.status, cell: ({ status }) => <Status of={status} /> },
      ]}
    >
      {may('settlements:write') && (
        <DialogButton label={t.create} class="main">
          {(close) => <NewSettlementDialog onClose={close} />}
        </DialogButton>
      )}
    </ListPage>
  )
}
