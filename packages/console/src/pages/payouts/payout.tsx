import { useState } from 'preact/hooks'
import { api } from '../../api/client.ts'
import { useCurrentSpace, usePermissions } from '../../api/scope.tsx'
import { useApprovalDetails } from '../../parts/approval-details.tsx'
import { CaseFile } from '../../parts/case-file.tsx'
import { CopyText } from '../../parts/copy.tsx'
import { DecisionContext } from '../../parts/decisions.tsx'
import { Failure } from '../../parts/failure.tsx'
import { PageLink, PayerLink } from '../../parts/links.tsx'
import { MemberName } from '../../parts/member-name.tsx'
import { objectPage } from '../../parts/object-page.tsx'
import { Facts, PageHead } from '../../parts/page.tsx'
import { ProviderName } from '../../parts/providers.tsx'
import { Money, Time, useMoney } from '../../text/format.tsx'
import { RecallPayout } from '../recalls/recall-payout.tsx'
import { PayoutRecalls } from '../recalls/recall-table.tsx'
import { DecisionOutcome, Requester } from './approver-facts.tsx'
import { CancelPayout, PayoutDecisions } from './decisions.tsx'
import { PayeeHolder, useKnownHolder } from './holder.tsx'
import { isMoving, type Payout, PayoutStatus, payeeOf, stateOf } from './payout-status.tsx'
import { useTexts } from './texts.ts'

export default objectPage(api.payouts.retrieve, PayoutView, { isMoving })

function PayoutView({ of: payout }: { of: Payout }) {
  const money = useMoney()
  const [isDecided, setDecided] = useState(false)
  return (
    <>
      <PageHead title={`${money(payout.amount)} · ${payeeOf(payout)}`} above="/payouts">
        <DecisionContext.Provider value={() => setDecided(true)}>
          <PayoutDecisions payout={payout} />
        </DecisionContext.Provider>
        <CancelPayout payout={payout} />
        <RecallPayout payout={payout} />
      </PageHead>
      {isDecided && <DecisionOutcome payout={payout} />}
      <PayoutFacts payout={payout} />
      {payout.status === 'completed' && <PayoutRecalls payoutId={payout.id} />}
      <CaseFile of="payouts" id={payout.id} />
    </>
  )
}

function PayoutFacts({ payout }: { payout: Payout }) {
  const t = useTexts()
  const money = useMoney()
  const may = usePermissions()
  const { me } = useCurrentSpace()
  const { destination, approval, batchId, createUserId, fees, metadata } = payout
  const { phoneNumber } = destination
  const isWaiting = stateOf(payout) === 'waiting'
  const holder = useKnownHolder(payout)
  const isForApprovers = isWaiting && may('payouts:approve')
  const details = useApprovalDetails('payouts', payout.id, isForApprovers)
  const mayDecide = isForApprovers && createUserId !== me.user.id
  const next: Partial<Record<string, string>> = { ...t.next, ...(mayDecide && { waiting: t.decide }) }
  return (
    <Facts
      of={[
        [t.status, <PayoutStatus of={payout} />],
        [t.note, next[stateOf(payout)]],
        [t.why, payout.failureDetail && <Failure of={payout.failureDetail} />],
        [t.amount, <Money of={payout.amount} />],
        [t.fees, fees.map((fee) => money(fee.amount)).join(', ')],
        [t.payee, phoneNumber ? <PayerLink phone={phoneNumber} /> : payeeOf(payout)],
        [t.holder, isWaiting && may('provider-kyc:read') ? <PayeeHolder payout={payout} /> : holder],
        [t.requestedBy, isForApprovers ? details.requester : <Requester id={createUserId} />],
        [t.reason, typeof metadata.note === 'string' && metadata.note],
        [t.provider, <ProviderName id={destination.providerId} />],
        [t.earlier, isForApprovers && details.earlier],
        [t.availableAfter, isForApprovers && details.balances],
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
