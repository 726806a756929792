import { api, type InputOf, type ResultOf } from '../../api/client.ts'
import { type Rows, useRows } from '../../api/queries.ts'
import { Section } from '../../parts/page.tsx'
import { ProviderLogo, ProviderName } from '../../parts/providers.tsx'
import type { Selection } from '../../parts/selection.tsx'
import { Status } from '../../parts/status.tsx'
import { PagedTable } from '../../parts/table.tsx'
import { Money, Time } from '../../text/format.tsx'
import { useTexts } from './texts.ts'

export type ListedPayment = ResultOf<typeof api.payments.list>[number]
type Props = {
  read: Rows<typeof api.payments.list>
  isFiltered?: boolean
  empty?: string | undefined
  selection?: Selection
}

/** A table of payments. */
export function PaymentsTable({ read, isFiltered = false, empty, selection }: Props) {
  const t = useTexts()
  return (
    <PagedTable
      label={t.payments}
      read={read}
      isFiltered={isFiltered}
      empty={empty}
      selection={selection}
      linkOf={({ id }) => `/payments/${id}`}
      columns={[
        { label: t.order, cell: ({ name, orderNumber }) => name || orderNumber },
        { label: t.amount, isNumber: true, cell: ({ amount }) => <Money of={amount} /> },
        { label: t.status, cell: (payment) => <PaymentStatus of={payment} /> },
        {
          label: t.payer,
          cell: (payment) => <Payer of={payment} />,
          isExtra: true,
        },
        {
          label: t.provider,
          cell: ({ channel }) => <ProviderName id={channel.provider} />,
          isExtra: true,
        },
        { label: t.time, cell: ({ createTime }) => <Time at={createTime} /> },
      ]}
    />
  )
}

type SectionProps = { title?: string; query: InputOf<typeof api.payments.list>; empty?: string }

/** A section of a page with the payments that match a query. */
export function PaymentsSection({ title, query, empty }: SectionProps) {
  const t = useTexts()
  const read = useRows(api.payments.list, [query])
  return (
    <Section title={title ?? t.payments}>
      <PaymentsTable read={read} empty={empty} />
    </Section>
  )
}

/** Shows the status of a payment and of its refunds. */
export function PaymentStatus({ of: { status, refund } }: { of: Pick<ListedPayment, 'status' | 'refund'> }) {
  const t = useTexts()
  return (
    <span class="statuses">
      <Status of={status} />
      {refund.status !== 'none' && <Status of="refunded" words={t.refundStates[refund.status]} />}
    </span>
  )
}

/** Shows the payer's account, and for a card, the logo of its network. */
const Payer = ({ of: payment }: { of: Pick<ListedPayment, 'channel'> }) => (
  <span class="number-text">
    {payment.channel.scheme && <ProviderLogo id={payment.channel.scheme} />}
    {payerOf(payment)}
  </span>
)

/**
 * Returns the payer's phone number, account number or wallet ID, or the scheme and last four digits of their
 * card.
 */
export function payerOf({ channel }: Pick<ListedPayment, 'channel'>): string {
  const { phoneNumber, accountNumber, walletId, scheme, last4 } = channel
  return (
    phoneNumber ??
    accountNumber ??
    walletId ??
    [schemeName(scheme), last4 && `…${last4}`].filter(Boolean).join(' ')
  )
}

/** Returns the name of a card network: `Visa` for `visa`. */
const schemeName = (scheme?: string | null) => scheme && scheme.charAt(0).toUpperCase() + scheme.slice(1)
