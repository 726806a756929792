import { api } from '../../api/client.ts'
import { CaseFile } from '../../parts/case-file.tsx'
import { CopyText } from '../../parts/copy.tsx'
import { Failure } from '../../parts/failure.tsx'
import { PageLink, PayerLink } from '../../parts/links.tsx'
import { MemberName } from '../../parts/member-name.tsx'
import { objectPage } from '../../parts/object-page.tsx'
import { Facts, PageHead } from '../../parts/page.tsx'
import { ProviderName } from '../../parts/providers.tsx'
import { Money, Time, useMoney } from '../../text/format.tsx'
import { RecallPayout } from '../recalls/recall-payout.tsx'
import { PayoutRecalls } from '../recalls/recall-table.tsx'
import { CancelPayout, PayoutDecisions } from './decisions.tsx'
import { type Payout, PayoutStatus, payeeOf, stateOf } from './payout-status.tsx'
import { useTexts } from './texts.ts'

/**
 * Returns whether the payout can still change. If so, it is polled, because some users can see the payout but
 * not its events.
 */
const isMoving = ({ status }: Payout) => status === 'pending' || status === 'processing'

export default objectPage(api.payouts.retrieve, PayoutView, { isMoving })

function PayoutView({ of: payout }: { of: Payout }) {
  const _t = useTexts()
  const money = useMoney()
  return (
    <>
      <PageHead title={`${money(payout.amount)} · ${payeeOf(payout)}`} above="/payouts">
        <PayoutDecisions payout={payout} />
        <CancelPayout payout={payout} />
        <RecallPayout payout={payout} />
      </PageHead>
      <PayoutFacts payout={payout} />
      {payout.status === 'completed' && <PayoutRecalls payoutId={payout.id} />}
      <CaseFile of="payouts" id={payout.id} />
    </>
  )
}

function PayoutFacts({ payout }: { payout: Payout }) {
  const t = useTexts()
  const money = useMoney()
  const { destination, approval, batchId, fees, metadata } = payout
  const next: Partial<Record<string, string>> = t.next
  return (
    <Facts
      of={[
        [t.status, <PayoutStatus of={payout} />],
        [t.note, next[stateOf(payout)]],
        [t.why, payout.failureDetail && <Failure of={payout.failureDetail} />],
        [t.amount, <Money of={payout.amount} />],
        [t.fees, fees.map((fee) => money(fee.amount)).join(', ')],
        [t.payee, destination.phoneNumber ? <PayerLink phone={destination.phoneNumber} /> : payeeOf(payout)],
        [t.reason, typeof metadata.note === 'string' && metadata.note],
        [t.provider, <ProviderName id={destination.providerId} />],
        [t.createTime, <Time at={payout.createTime} />],
        [t.decidedBy, approval?.userId && <MemberName id={approval.userId} />],
        [t.decided, approval?.time && <Time at={approval.time} />],
        [t.railReference, destination.transactionReference],
        [t.batch, batchId && <PageLink to={`/payout-batches/${batchId}`}>{t.openBatch}</PageLink>],
        [t.id, <CopyText text={payout.id} />],
      ]}
    />
  )
}
