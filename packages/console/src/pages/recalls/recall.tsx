import { api } from '../../api/client.ts'
import { usePermissions } from '../../api/scope.tsx'
import { ConfirmButton } from '../../parts/confirm.tsx'
import { CopyText } from '../../parts/copy.tsx'
import { ObjectLink } from '../../parts/links.tsx'
import { objectPage } from '../../parts/object-page.tsx'
import { Facts, PageHead } from '../../parts/page.tsx'
import { ProviderName } from '../../parts/providers.tsx'
import { Money, Time, useMoney } from '../../text/format.tsx'
import { type Recall, RecallStatus } from './recall-table.tsx'
import { useTexts } from './texts.ts'

export default objectPage(api.recalls.retrieve, RecallView)

function RecallView({ of: recall }: { of: Recall }) {
  const t = useTexts()
  const money = useMoney()
  const may = usePermissions()
  return (
    <>
      <PageHead title={`${money(recall.amount)} · ${t.reasons[recall.reason]}`} above="/recalls">
        {recall.status === 'open' && may('payouts:write') && (
          <ConfirmButton
            call={api.recalls.cancel}
            args={[recall.id]}
            action={t.cancel}
            title={t.cancelTitle}
            warning={t.cancelText}
          />
        )}
      </PageHead>
      <p class="intro">{t.explained}</p>
      <Facts
        of={[
          [t.status, <RecallStatus of={recall.status} />],
          [t.amount, <Money of={recall.amount} />],
          [t.returned, recall.status === 'returned' && <Money of={recall.returned} />],
          [t.payout, <ObjectLink id={recall.payoutId} />],
          [t.provider, <ProviderName id={recall.source.providerId} />],
          [t.railReference, recall.source.transactionReference],
          [t.note, recall.note],
          [t.createTime, <Time at={recall.createTime} />],
          [t.id, <CopyText text={recall.id} />],
        ]}
      />
    </>
  )
}
