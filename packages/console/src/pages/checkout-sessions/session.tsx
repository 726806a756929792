import { api, type ResultOf } from '../../api/client.ts'
import { useCurrentSpace, usePermissions } from '../../api/scope.tsx'
import { ConfirmButton } from '../../parts/confirm.tsx'
import { CopyText } from '../../parts/copy.tsx'
import { Events } from '../../parts/events.tsx'
import { objectPage } from '../../parts/object-page.tsx'
import { Facts, PageHead, Section } from '../../parts/page.tsx'
import { PayLink } from '../../parts/pay-link.tsx'
import { Status } from '../../parts/status.tsx'
import { Table } from '../../parts/table.tsx'
import { Money, Time } from '../../text/format.tsx'
import { PaymentsSection } from '../payments/payments-table.tsx'
import { useTexts } from './texts.ts'

type Session = ResultOf<typeof api.checkoutSessions.retrieve>

export default objectPage(api.checkoutSessions.retrieve, CheckoutSession)

function CheckoutSession({ of: session }: { of: Session }) {
  const t = useTexts()
  const may = usePermissions()
  const isPending = session.status === 'pending'
  return (
    <>
      <PageHead title={session.name} above="/checkout-sessions">
        {isPending && may('checkout-sessions:write') && (
          <ConfirmButton
            action={t.cancelLink}
            title={t.cancelTitle}
            warning={t.cancelWarning}
            call={api.checkoutSessions.delete}
            args={[session.id]}
          />
        )}
      </PageHead>
      <Facts
        of={[
          [t.status, <Status of={session.status} words={t.payStatuses[session.status]} />],
          [t.reason, session.expireReason === 'payment_link' && t.linkTookNone],
          [t.amount, <Money of={session.amount} />],
          [t.expireTime, isPending && <Time at={session.expireTime} />],
          [t.createTime, <Time at={session.createTime} />],
          [t.orderNumber, session.orderNumber],
          [t.reference, session.reference],
          [t.description, session.description],
          [t.id, <CopyText text={session.id} />],
        ]}
      />
      {isPending && <Share session={session} />}
      <Items session={session} />
      {may('payments:read') && (
        <PaymentsSection query={{ orderNumber: session.orderNumber }} empty={t.noPayments} />
      )}
      <Events objectId={session.id} />
    </>
  )
}

function Share({ session: { redirectUrl, name, amount } }: { session: Session }) {
  const t = useTexts()
  const { environment } = useCurrentSpace().scope
  const printed = (
    <>
      {name} · <Money of={amount} />
    </>
  )
  return (
    <PayLink
      {...{ name, printed }}
      url={redirectUrl}
      hint={t.linkHint}
      note={environment === 'test' && t.testHint}
    />
  )
}

function Items({ session }: { session: Session }) {
  const t = useTexts()
  return (
    <Section title={t.items}>
      <Table
        rows={session.lineItems.data}
        columns={[
          { label: t.itemName, cell: ({ name }) => name },
          { label: t.quantity, isNumber: true, cell: ({ quantity }) => `× ${quantity}` },
          { label: t.amount, isNumber: true, cell: ({ price }) => <Money of={price} /> },
        ]}
      />
    </Section>
  )
}
