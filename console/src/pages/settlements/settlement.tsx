import { useState } from 'preact/hooks'
import { useParams } from 'wouter-preact'
import { api, type ResultOf } from '../../api/client.ts'
import { issueAt } from '../../api/errors.ts'
import { useRead, useSend } from '../../api/queries.ts'
import { usePermissions } from '../../api/scope.tsx'
import { CopyText } from '../../parts/copy.tsx'
import { ErrorPage } from '../../parts/dead-end.tsx'
import { Facts } from '../../parts/facts.tsx'
import { FormDialog } from '../../parts/form.tsx'
import { Loading } from '../../parts/notices.tsx'
import { PageHead } from '../../parts/page.tsx'
import { ProviderName } from '../../parts/providers.tsx'
import { ReasonField, reasonOf } from '../../parts/reason.tsx'
import { Status } from '../../parts/status.tsx'
import { Money, Time, useMoney } from '../../text/format.tsx'
import { useTexts } from '../../text/languages.tsx'
import { LedgerLines } from '../payments/ledger-lines.tsx'
import { texts } from './texts.ts'

type Settlement = ResultOf<typeof api.settlements.retrieve>

export default function SettlementPage() {
  const { id = '' } = useParams()
  const { data, error } = useRead(api.settlements.retrieve, [id])
  if (error) return <ErrorPage error={error} />
  return data ? <Shown settlement={data} /> : <Loading />
}

function Shown({ settlement }: { settlement: Settlement }) {
  const t = useTexts(texts)
  const money = useMoney()
  const may = usePermissions()
  const [isReversing, setReversing] = useState(false)
  const { id, status, kind, amount, financialTransactionReference } = settlement
  return (
    <>
      <PageHead
        title={`${money(amount)} · ${t.kinds[kind]}`}
        above={{ title: t.settlements, path: '/settlements' }}
      >
        {status === 'booked' && may('settlements:write') && (
          <button type="button" class="quiet danger" onClick={() => setReversing(true)}>
            {t.reverse}
          </button>
        )}
      </PageHead>
      <SettlementFacts settlement={settlement} />
      {may('financial-transactions:read') && <LedgerLines reference={financialTransactionReference} />}
      {isReversing && <ReverseDialog id={id} onClose={() => setReversing(false)} />}
    </>
  )
}

function SettlementFacts({ settlement }: { settlement: Settlement }) {
  const t = useTexts(texts)
  const { reversal } = settlement
  return (
    <Facts
      of={[
        [t.status, <Status of={settlement.status} />],
        [t.amount, <Money of={settlement.amount} />],
        [t.provider, <ProviderName id={settlement.providerId} />],
        [t.direction, t.directions[settlement.direction]],
        [t.bankReference, settlement.bankReference],
        [t.valueDate, settlement.valueDate],
        [t.advance, settlement.isAdvance && t.yes],
        [t.note, settlement.note],
        [t.by, settlement.createdBy],
        [t.createTime, <Time at={settlement.createTime} />],
        [t.reversed, reversal && t.reversedBy(reversal.by ?? '', reversal.reason ?? '')],
        [t.id, <CopyText text={settlement.id} />],
      ]}
    />
  )
}

function ReverseDialog({ id, onClose }: { id: string; onClose(): void }) {
  const t = useTexts(texts)
  const send = useSend(api.settlements.reverse)
  return (
    <FormDialog
      title={t.reverseTitle}
      action={t.reverse}
      isDangerous
      isBusy={send.isPending}
      error={send.error}
      onSubmit={(fields) => send.mutate([id, reasonOf(fields)], { onSuccess: onClose })}
      onClose={onClose}
    >
      <p class="field">{t.reverseText}</p>
      <ReasonField issue={issueAt(send.error, 'reason')} />
    </FormDialog>
  )
}
