import { api, type ResultOf } from '../../api/client.ts'
import { useRows, useSend } from '../../api/queries.ts'
import { usePermissions } from '../../api/scope.tsx'
import { ConfirmButton } from '../../parts/confirm.tsx'
import { CopyText } from '../../parts/copy.tsx'
import { Events } from '../../parts/events.tsx'
import { ErrorNotice } from '../../parts/notices.tsx'
import { objectPage } from '../../parts/object-page.tsx'
import { Facts, PageHead, Section } from '../../parts/page.tsx'
import { PayLink } from '../../parts/pay-link.tsx'
import { Status } from '../../parts/status.tsx'
import { PagedTable } from '../../parts/table.tsx'
import { Money, Time } from '../../text/format.tsx'
import { DialCode } from './dial-code.tsx'
import { useTexts } from './texts.ts'

type PaymentLink = ResultOf<typeof api.paymentLinks.retrieve>

const isOpen = ({ status }: PaymentLink) => status === 'active' || status === 'inactive'

export default objectPage(api.paymentLinks.retrieve, PaymentLinkView)

function PaymentLinkView({ of: link }: { of: PaymentLink }) {
  const t = useTexts()
  const may = usePermissions()
  return (
    <>
      <PageHead title={link.name} above="/payment-links">
        {isOpen(link) && may('payment-links:write') && <Actions link={link} />}
      </PageHead>
      <LinkFacts link={link} />
      {isOpen(link) && (
        <PayLink
          url={link.url}
          posterUrl={link.posterUrl}
          name={link.name}
          printed={link.name}
          hint={t.linkHint}
        />
      )}
      {may('payment-codes:read') && <DialCode link={link} />}
      {may('checkout-sessions:read') && <Sessions linkId={link.id} />}
      <Events objectId={link.id} />
    </>
  )
}

function Actions({ link: { id, active } }: { link: PaymentLink }) {
  const t = useTexts()
  const change = useSend(api.paymentLinks.update)
  return (
    <>
      <button
        type="button"
        disabled={change.isPending}
        onClick={() => change.mutate([id, { active: !active }])}
      >
        {active ? t.pause : t.resume}
      </button>
      <ConfirmButton
        call={api.paymentLinks.delete}
        args={[id]}
        action={t.cancelLink}
        title={t.cancelTitle}
        warning={t.cancelWarning}
      />
      <ErrorNotice error={change.error} />
    </>
  )
}

function LinkFacts({ link }: { link: PaymentLink }) {
  const t = useTexts()
  const { amount, openAmount, quantity, payerReference, maxPayments, paymentCount, expireTime } = link
  const bound = (value: number | null | undefined) =>
    openAmount && value ? <Money of={{ currency: openAmount.currency, value }} /> : '…'
  return (
    <Facts
      of={[
        [t.status, <Status of={link.status} words={t.statuses[link.status]} />],
        [t.amount, amount ? <Money of={amount} /> : t.enteredByPayer],
        [
          t.between,
          (openAmount?.minimum || openAmount?.maximum) && (
            <>
              {bound(openAmount.minimum)} – {bound(openAmount.maximum)}
            </>
          ),
        ],
        [t.payments, maxPayments === null ? paymentCount : `${paymentCount} / ${maxPayments}`],
        [t.paid, <Money of={link.paymentTotal} />],
        [t.quantity, quantity && t.upTo(quantity.maximum)],
        [t.question, payerReference?.label],
        [t.expireTime, expireTime && <Time at={expireTime} />],
        [t.createTime, <Time at={link.createTime} />],
        [t.description, link.description],
        [t.successText, link.successText],
        [t.id, <CopyText text={link.id} />],
      ]}
    />
  )
}

function Sessions({ linkId }: { linkId: string }) {
  const t = useTexts()
  const read = useRows(api.checkoutSessions.list, [{ paymentLinkId: linkId, limit: 25 }])
  return (
    <Section title={t.sessions}>
      <PagedTable
        read={read}
        empty={t.noSessions}
        linkOf={({ id }) => `/checkout-sessions/${id}`}
        columns={[
          { label: t.createTime, cell: ({ createTime }) => <Time at={createTime} /> },
          { label: t.reference, cell: ({ reference }) => reference },
          { label: t.amount, isNumber: true, cell: ({ amount }) => <Money of={amount} /> },
          { label: t.status, cell: ({ status }) => <Status of={status} words={t.payStatuses[status]} /> },
        ]}
      />
    </Section>
  )
}
