import { api, type ResultOf } from '../../api/client.ts'
import { usePermissions } from '../../api/scope.tsx'
import { ConfirmButton } from '../../parts/confirm.tsx'
import { CopyText } from '../../parts/copy.tsx'
import { Events } from '../../parts/events.tsx'
import { Failure } from '../../parts/failure.tsx'
import { PageLink } from '../../parts/links.tsx'
import { objectPage } from '../../parts/object-page.tsx'
import { Facts, PageHead } from '../../parts/page.tsx'
import { Status } from '../../parts/status.tsx'
import { Money, Time, useMoney } from '../../text/format.tsx'
import { LedgerLines } from '../payments/ledger-lines.tsx'
import { AccountName } from './account-name.tsx'
import { useTexts } from './texts.ts'

type Transfer = ResultOf<typeof api.internalTransfers.retrieve>

export default objectPage(api.internalTransfers.retrieve, TransferView)

function TransferView({ of: transfer }: { of: Transfer }) {
  const t = useTexts()
  const money = useMoney()
  const may = usePermissions()
  const { id, amount, status, executeTime, description, financialTransactionReference } = transfer
  const isPlanned = status === 'pending' && executeTime !== null
  const account = ({ id }: { id: string }) => (
    <PageLink to={`/financial-accounts/${id}`}>
      <AccountName id={id} />
    </PageLink>
  )
  return (
    <>
      <PageHead title={`${money(amount)} · ${description || t.transfer}`} above="/internal-transfers">
        {isPlanned && may('internal-transfers:write') && (
          <ConfirmButton
            call={api.internalTransfers.delete}
            args={[id]}
            action={t.cancel}
            title={t.cancelTitle}
            warning={t.cancelWarning}
          />
        )}
      </PageHead>
      <Facts
        of={[
          [t.status, <Status of={status} words={isPlanned ? t.planned : undefined} />],
          [t.why, transfer.failureDetail && <Failure of={transfer.failureDetail} />],
          [t.amount, <Money of={amount} />],
          [t.source, account(transfer.sourceFinancialAccount)],
          [t.destination, account(transfer.destinationFinancialAccount)],
          [t.executeTime, executeTime && <Time at={executeTime} />],
          [t.time, <Time at={transfer.createTime} />],
          [t.id, <CopyText text={id} />],
        ]}
      />
      {financialTransactionReference && may('financial-transactions:read') && (
        <LedgerLines reference={financialTransactionReference} />
      )}
      <Events objectId={id} />
    </>
  )
}
