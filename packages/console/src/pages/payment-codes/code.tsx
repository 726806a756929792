import { api } from '../../api/client.ts'
import { useSend } from '../../api/queries.ts'
import { usePermissions } from '../../api/scope.tsx'
import { ConfirmButton } from '../../parts/confirm.tsx'
import { CopyText } from '../../parts/copy.tsx'
import { PayerLink } from '../../parts/links.tsx'
import { ErrorNotice } from '../../parts/notices.tsx'
import { objectPage } from '../../parts/object-page.tsx'
import { Facts, PageHead, Section } from '../../parts/page.tsx'
import { Money, Time } from '../../text/format.tsx'
import { PaymentsSection } from '../payments/payments-table.tsx'
import { CodeStatus, isOpen, type PaymentCode } from './code-status.tsx'
import { useTexts } from './texts.ts'

export default objectPage(api.paymentCodes.retrieve, Code)

function Code({ of: code }: { of: PaymentCode }) {
  const t = useTexts()
  const may = usePermissions()
  return (
    <>
      <PageHead title={code.name} above="/payment-codes">
        {isOpen(code) && may('payment-codes:write') && <Actions code={code} />}
      </PageHead>
      <CodeFacts code={code} />
      {isOpen(code) && <DialString text={code.ussdCode} />}
      {may('payments:read') && <PaymentsSection query={{ q: code.id, limit: 25 }} empty={t.noPayments} />}
    </>
  )
}

function Actions({ code: { id, enable } }: { code: PaymentCode }) {
  const t = useTexts()
  const change = useSend(api.paymentCodes.update)
  return (
    <>
      <button
        type="button"
        disabled={change.isPending}
        onClick={() => change.mutate([id, { enable: !enable }])}
      >
        {enable ? t.pause : t.resume}
      </button>
      <ConfirmButton
        call={api.paymentCodes.delete}
        args={[id]}
        action={t.cancel}
        title={t.cancelTitle}
        warning={t.cancelWarning}
      />
      <ErrorNotice error={change.error} />
    </>
  )
}

function CodeFacts({ code }: { code: PaymentCode }) {
  const t = useTexts()
  const { amount, customer, authorizedPhoneNumber: phone, recurrentPaymentTarget: target } = code
  return (
    <Facts
      of={[
        [t.status, <CodeStatus of={code} />],
        [t.amount, amount ? <Money of={amount} /> : t.enteredByPayer],
        [t.type, t.modes[code.mode]],
        [t.expireTime, <Time at={code.expireTime} />],
        [t.createTime, <Time at={code.createTime} />],
        [t.payer, customer?.name],
        [t.onlyPhone, phone && <PayerLink phone={phone} />],
        [
          t.target,
          target && (
            <>
              {target.expectedPaymentCount !== null && t.targetPayments(target.expectedPaymentCount)}{' '}
              {target.expectedPaymentTotal && <Money of={target.expectedPaymentTotal} />}
            </>
          ),
        ],
        [t.reference, code.reference],
        [t.id, <CopyText text={code.id} />],
      ]}
    />
  )
}

function DialString({ text }: { text: string }) {
  const t = useTexts()
  return (
    <Section title={t.dial}>
      <div class="card dial">
        <CopyText text={text} />
        <p class="muted">{t.dialHint}</p>
        <a class="button" href={`tel:${encodeURIComponent(text)}`}>
          {t.call}
        </a>
      </div>
    </Section>
  )
}
