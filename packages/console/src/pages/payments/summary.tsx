import { useRef } from 'preact/hooks'
import { api } from '../../api/client.ts'
import { useRead } from '../../api/queries.ts'
import { usePermissions } from '../../api/scope.tsx'
import { CopyButton, CopyText } from '../../parts/copy.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Facts } from '../../parts/page.tsx'
import { ProviderLogo, useProviderName } from '../../parts/providers.tsx'
import { type Amount, Money, Time } from '../../text/format.tsx'
import { useLanguage } from '../../text/languages.tsx'
import { originOf, type Payment } from './origin.ts'
import { usePaymentTexts } from './payment-texts.ts'
import { PaymentStatus, payerOf } from './payments-table.tsx'
import { useTexts } from './texts.ts'

/**
 * Shows who paid how much, when and for which order, the outcome and its cause, and the link that the payer opened.
 */
export function PaymentSummary({ payment }: { payment: Payment }) {
  const t = useTexts()
  const p = usePaymentTexts()
  const may = usePermissions()
  const { amount, refund, status, failureDetail, instructions } = payment
  const origin = originOf(payment)
  const isRefunded = refund.refunded.value > 0
  const isInFlight = status === 'pending' || status === 'processing'
  const isPage = may('checkout-sessions:read') && origin?.type === 'checkout_session'
  return (
    <>
      {failureDetail && (
        <p class="notice bad">
          <strong>{t.why}</strong> <Failure of={failureDetail} />
        </p>
      )}
      <div class="main-facts">
        <Facts
          of={[
            [t.amount, <Money of={amount} />],
            [t.status, <PaymentStatus of={payment} />],
            [t.refunded, isRefunded && <Money of={refund.refunded} />],
            [p.afterRefunds, isRefunded && <Money of={less(amount, refund.refunded)} />],
            [t.payer, <PayerAccount payment={payment} />],
            [t.time, <Time at={payment.createTime} isExact />],
            [t.orderNumber, payment.orderNumber],
            [t.toDo, isInFlight && instructions && <Guidance of={instructions} />],
            [p.payerLink, isPage && <PageUrl sessionId={origin.id} />],
          ]}
        />
      </div>
    </>
  )
}

const less = ({ currency, value }: Amount, other: Amount): Amount => ({
  currency,
  value: BigInt(value) - BigInt(other.value),
})

/** Shows the payer's account with the logo of its provider or card network. */
function PayerAccount({ payment }: { payment: Payment }) {
  const { provider, scheme } = payment.channel
  return (
    <span class="party">
      <ProviderLogo id={scheme ?? provider} />
      <span>
        <span class="number-text">{payerOf(payment)}</span>
        <small class="muted">{useProviderName(provider)}</small>
      </span>
    </span>
  )
}

/** Shows the instructions that the provider gives the payer, so that support staff can read them out on a call. */
function Guidance({ of }: { of: NonNullable<Payment['instructions']> }) {
  const { language } = useLanguage()
  const { texts: byLanguage, dialString } = of
  return (
    <>
      {byLanguage[language] ?? byLanguage.en ?? Object.values(byLanguage)[0]}{' '}
      {dialString && <CopyText text={dialString} />}
    </>
  )
}

/** Shows the URL of the checkout page, with a button to copy it. Nothing is shown until the URL is known. */
function PageUrl({ sessionId }: { sessionId: string }) {
  const p = usePaymentTexts()
  const { data: session } = useRead(api.checkoutSessions.retrieve, [sessionId])
  const shown = useRef<HTMLElement>(null)
  if (!session) return <>…</>
  return (
    <span class="copy">
      <code ref={shown} class="cut">
        {session.redirectUrl}
      </code>
      <CopyButton
        text={session.redirectUrl}
        shown={shown}
        about=""
        class="quiet small"
        label={p.copyPayerLink}
      />
    </span>
  )
}
