import { api, type ResultOf } from '../../api/client.ts'
import { usePermissions } from '../../api/scope.tsx'
import { ConfirmButton, ReasonField } from '../../parts/confirm.tsx'
import { CopyText } from '../../parts/copy.tsx'
import { MemberName } from '../../parts/member-name.tsx'
import { objectPage } from '../../parts/object-page.tsx'
import { Facts, PageHead } from '../../parts/page.tsx'
import { ProviderName } from '../../parts/providers.tsx'
import { Status } from '../../parts/status.tsx'
import { Money, Time, useDayFormat, useMoney } from '../../text/format.tsx'
import { useTexts } from './texts.ts'

type Settlement = ResultOf<typeof api.settlements.retrieve>

export default objectPage(api.settlements.retrieve, SettlementView)

function SettlementView({ of: settlement }: { of: Settlement }) {
  const t = useTexts()
  const money = useMoney()
  const may = usePermissions()
  const { id, status, kind, amount } = settlement
  return (
    <>
      <PageHead title={`${money(amount)} · ${t.kinds[kind]}`} above="/settlements">
        {status === 'booked' && may('settlements:write') && (
          <ConfirmButton
            call={api.settlements.reverse}
            args={(form) => [id, form.reason()]}
            action={t.reverse}
            title={t.reverseTitle}
            warning={t.reverseText}
          >
            <ReasonField />
          </ConfirmButton>
        )}
      </PageHead>
      <SettlementFacts settlement={settlement} />
    </>
  )
}

function SettlementFacts({ settlement }: { settlement: Settlement }) {
  const t = useTexts()
  const dayText = useDayFormat()
  const { reversal } = settlement
  return (
    <Facts
      of={[
        [t.status, <Status of={settlement.status} />],
        [t.amount, <Money of={settlement.amount} />],
        [t.provider, <ProviderName id={settlement.providerId} />],
        [t.direction, t.directions[settlement.direction]],
        [t.bankReference, settlement.bankReference],
        [t.valueDate, dayText(settlement.valueDate)],
        [t.advance, settlement.isAdvance && t.yes],
        [t.note, settlement.note],
        [t.by, settlement.createdBy && <MemberName id={settlement.createdBy} />],
        [t.createTime, <Time at={settlement.createTime} />],
        [t.reversed, reversal && t.reversedBy(reversal.by ?? '', reversal.reason ?? '')],
        [t.id, <CopyText text={settlement.id} />],
      ]}
    />
  )
}
