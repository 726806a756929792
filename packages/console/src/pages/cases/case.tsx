import { api, type ResultOf } from '../../api/client.ts'
import { usePermissions } from '../../api/scope.tsx'
import { ConfirmButton } from '../../parts/confirm.tsx'
import { CopyText } from '../../parts/copy.tsx'
import { ObjectLink } from '../../parts/links.tsx'
import { objectPage } from '../../parts/object-page.tsx'
import { Facts, PageHead } from '../../parts/page.tsx'
import { Status } from '../../parts/status.tsx'
import { Money, Time, useMoney } from '../../text/format.tsx'
import { LedgerLines } from '../payments/ledger-lines.tsx'
import { useTexts } from './texts.ts'

export default objectPage(api.cases.retrieve, Case)

function Case({ of: data }: { of: ResultOf<typeof api.cases.retrieve> }) {
  const t = useTexts()
  const money = useMoney()
  const may = usePermissions()
  const isLatePayment =
    data.status === 'open' && data.kind === 'success_after_failure' && data.objectId.startsWith('pay-')
  return (
    <>
      <PageHead title={`${money(data.amount)} · ${t.kinds[data.kind]}`} above="/cases">
        {isLatePayment && may('refunds:write') && (
          <ConfirmButton
            call={api.cases.return}
            args={[data.id]}
            action={t.giveBack}
            title={t.giveBackTitle}
            warning={t.giveBackWarning}
          />
        )}
      </PageHead>
      <p class="intro">
        {t.explained[data.kind]} {data.status === 'open' && t.byOperator}
      </p>
      <Facts
        of={[
          [t.status, <Status of={data.status} />],
          [t.amount, <Money of={data.amount} />],
          [t.returned, data.returned.value > 0 && <Money of={data.returned} />],
          [t.remaining, <Money of={data.remaining} />],
          [t.object, <ObjectLink id={data.objectId} />],
          [t.time, <Time at={data.createTime} />],
          [t.closeTime, data.closeTime && <Time at={data.closeTime} />],
          [t.id, <CopyText text={data.id} />],
        ]}
      />
      {data.financialTransactionReference && <LedgerLines reference={data.financialTransactionReference} />}
    </>
  )
}
