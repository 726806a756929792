import { api, type ResultOf } from '../../api/client.ts'
import { usePermissions } from '../../api/scope.tsx'
import { CaseFile } from '../../parts/case-file.tsx'
import { ConfirmButton } from '../../parts/confirm.tsx'
import { CopyText } from '../../parts/copy.tsx'
import { Failure } from '../../parts/failure.tsx'
import { PageLink } from '../../parts/links.tsx'
import { MemberName } from '../../parts/member-name.tsx'
import { objectPage } from '../../parts/object-page.tsx'
import { Facts, PageHead } from '../../parts/page.tsx'
import { ProviderName } from '../../parts/providers.tsx'
import { Status } from '../../parts/status.tsx'
import { Money, Time, useMoney } from '../../text/format.tsx'
import { LedgerLines } from '../payments/ledger-lines.tsx'
import { reasonWords, useTexts as useRefundTexts } from '../payments/texts.ts'
import { RefundDecisions } from './decisions.tsx'
import { useTexts } from './texts.ts'

type Refund = ResultOf<typeof api.refunds.retrieve>

export default objectPage(api.refunds.retrieve, RefundView)

function RefundView({ of: refund }: { of: Refund }) {
  const r = useRefundTexts()
  const money = useMoney()
  const may = usePermissions()
  const reference = refund.source.transactionReference
  return (
    <>
      <PageHead title={`${money(refund.amount)} · ${reasonWords(r, refund.reason)}`} above="/refunds">
        <Actions refund={refund} />
      </PageHead>
      <RefundFacts refund={refund} />
      {reference && may('financial-transactions:read') && <LedgerLines reference={reference} />}
      <CaseFile of="refunds" id={refund.id} />
    </>
  )
}

function Actions({ refund }: { refund: Refund }) {
  const t = useTexts()
  const may = usePermissions()
  return (
    <>
      <RefundDecisions refund={refund} />
      {refund.status === 'pending' && refund.reason !== 'paid_twice' && may('refunds:write') && (
        <ConfirmButton
          call={api.refunds.cancel}
          args={[refund.id]}
          action={t.cancel}
          title={t.cancelTitle}
          warning={t.rejectWarning}
        />
      )}
    </>
  )
}

function RefundFacts({ refund }: { refund: Refund }) {
  const t = useTexts()
  const r = useRefundTexts()
  const money = useMoney()
  const { destination, approval, pendingReason } = refund
  return (
    <Facts
      of={[
        [
          t.status,
          <Status of={refund.status} words={pendingReason ? r.pendingReasons[pendingReason] : undefined} />,
        ],
        [r.why, refund.failureDetail && <Failure of={refund.failureDetail} />],
        [t.decided, approval?.status && t.decisions[approval.status]],
        [t.decidedBy, approval?.userId && <MemberName id={approval.userId} />],
        [t.amount, <Money of={refund.amount} />],
        [t.fees, refund.fees.map((fee) => money(fee.amount)).join(', ')],
        [t.bearer, t.bearers[refund.bearer]],
        [t.payer, payerOf(destination)],
        [t.provider, <ProviderName id={destination.providerId} />],
        [t.method, t.methods[refund.method]],
        [t.payment, <PageLink to={`/payments/${refund.paymentId}`}>{refund.orderNumber}</PageLink>],
        [t.time, <Time at={refund.createTime} />],
        [r.railReference, destination.transactionReference],
        [r.internalNote, refund.note],
        [t.payerMessage, refund.payerMessage],
        [t.id, <CopyText text={refund.id} />],
      ]}
    />
  )
}

const payerOf = ({ phoneNumber, accountNumber, walletId, last4 }: Refund['destination']) =>
  phoneNumber ?? accountNumber ?? walletId ?? (last4 ? `****${last4}` : '')
