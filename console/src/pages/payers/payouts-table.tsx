import type { api } from '../../api/client.ts'
import type { Rows } from '../../api/queries.ts'
import { Failure } from '../../parts/failure.tsx'
import { useCanOpen } from '../../parts/links.tsx'
import { ProviderName } from '../../parts/providers.tsx'
import { Status } from '../../parts/status.tsx'
import { PagedTable } from '../../parts/table.tsx'
import { Money, Time } from '../../text/format.tsx'
import { useWords } from '../../text/words.ts'

/** A table of the payouts to one phone number. */
export function PayoutsTable({ read, empty }: { read: Rows<typeof api.payouts.list>; empty: string }) {
  const w = useWords()
  const hasPage = useCanOpen()('/payouts/:id')
  return (
    <PagedTable
      label={w.payouts}
      read={read}
      empty={empty}
      linkOf={({ id }) => (hasPage ? `/payouts/${id}` : undefined)}
      columns={[
        { label: w.provider, cell: ({ destination }) => <ProviderName id={destination.providerId} /> },
        { label: w.amount, isNumber: true, cell: ({ amount }) => <Money of={amount} /> },
        { label: w.status, cell: ({ status }) => <Status of={status} /> },
        { label: w.note, cell: ({ failureDetail }) => <Failure of={failureDetail} />, isExtra: true },
        { label: w.time, cell: ({ createTime }) => <Time at={createTime} /> },
      ]}
    />
  )
}
