import { api } from '../../api/client.ts'
import { useRead } from '../../api/queries.ts'
import { usePermissions } from '../../api/scope.tsx'
import { CopyText } from '../../parts/copy.tsx'
import { MoreLink } from '../../parts/links.tsx'
import { ErrorNotice, Loading } from '../../parts/notices.tsx'
import { Facts, Section } from '../../parts/page.tsx'
import { ReceiptStatus } from '../../parts/receipt-status.tsx'
import { originOf, type Payment } from './origin.ts'
import { useTexts } from './texts.ts'

/** Shows the redemption status of the receipt and a link to the receipt as the payer sees it. */
export function PaymentReceipt({ payment }: { payment: Payment }) {
  const t = useTexts()
  const { orderNumber } = payment
  const { data: receipt, error } = useRead(api.receipts.retrieve, [orderNumber])
  const origin = originOf(payment)
  const isPage = usePermissions()('checkout-sessions:read') && origin?.type === 'checkout_session'
  return (
    <Section title={t.receipt} more={<MoreLink to={`/receipts/${orderNumber}`}>{t.openReceipt}</MoreLink>}>
      <ErrorNotice error={error} />
      {!receipt && !error && <Loading />}
      {receipt && (
        <Facts
          of={[
            [t.redeemed, receipt.status !== 'not_redeemed' && <ReceiptStatus of={receipt.status} />],
            [t.receiptLink, isPage && <ReceiptLink sessionId={origin.id} />],
          ]}
        />
      )}
    </Section>
  )
}

function ReceiptLink({ sessionId }: { sessionId: string }) {
  const { data: session, error } = useRead(api.checkoutSessions.retrieve, [sessionId])
  if (error) return <ErrorNotice error={error} />
  return session ? <CopyText text={`${session.redirectUrl}/receipt`} /> : <Loading />
}
