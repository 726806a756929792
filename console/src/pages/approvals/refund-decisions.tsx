import type { ResultOf } from '../../api/client.ts'
import { ConfirmButton } from '../../parts/confirm.tsx'
import { useMoney } from '../../text/format.tsx'
import { useTexts } from '../../text/languages.tsx'
import { texts } from './texts.ts'

/** Approving and rejecting a refund that waits for it. */
export function RefundDecisions({ refund }: { refund: ResultOf<'GET /v1/refunds'>[number] }) {
  const t = useTexts(texts)
  const amount = useMoney()(refund.amount)
  const args = { path: { id: refund.id }, body: {} }
  return (
    <>
      <ConfirmButton
        name="POST /v1/refunds/{id}/approve"
        args={args}
        action={t.approve}
        title={t.approveTitle}
        warning={t.approveWarning(amount)}
        isDangerous={false}
      />
      <ConfirmButton
        name="POST /v1/refunds/{id}/reject"
        args={args}
        action={t.reject}
        title={t.rejectTitle}
        warning={t.rejectWarning(amount)}
      />
    </>
  )
}
