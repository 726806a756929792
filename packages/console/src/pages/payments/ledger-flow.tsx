import type { api, ResultOf } from '../../api/client.ts'
import { PageLink } from '../../parts/links.tsx'
import { ProviderName } from '../../parts/providers.tsx'
import { Money } from '../../text/format.tsx'
import type { Payment } from './origin.ts'
import { usePaymentTexts } from './payment-texts.ts'

type Line = ResultOf<typeof api.financialTransactions.list>[number]
type Props = { payment: Payment; lines: readonly Line[]; reference: string }

/**
 * Shows the flow of the money according to the ledger lines: from the payer through the rail to the Space, and what
 * was refunded later.
 */
export function LedgerFlow({ payment, lines, reference }: Props) {
  const t = usePaymentTexts()
  const { currency } = payment.amount
  const received = lines.filter(({ originatingFee, type }) => !originatingFee && type === 'credit')
  const fees = lines.filter(({ originatingFee }) => originatingFee)
  const [booked] = received
  if (!booked) return null
  const gross = { currency, value: sumOf(received) }
  const fee = { currency, value: sumOf(fees) }
  const linesPath = `/financial-transactions?reference=${reference}`
  return (
    <ol class="flow card" aria-label={t.flow}>
      <li class="flow-step">
        <span class="muted">{t.payer}</span>
        <strong>
          <PageLink to={linesPath}>
            <Money of={gross} />
          </PageLink>
        </strong>
      </li>
      <li class="flow-step">
        <span class="muted">{t.provider}</span>
        <strong>
          <ProviderName id={payment.channel.provider} />
        </strong>
        {payment.channel.reference && <code class="cut">{payment.channel.reference}</code>}
      </li>
      {fees.length > 0 && (
        <li class="flow-step">
          <span class="muted">{t.feeDeducted}</span>
          <strong>
            <PageLink to={linesPath}>
              <Money of={fee} />
            </PageLink>
          </strong>
        </li>
      )}
      <li class="flow-step">
        <span class="muted">{t.you}</span>
        <strong>
          <PageLink to={`/financial-accounts/${booked.financialAccount.id}`}>
            <Money of={{ currency, value: gross.value + fee.value }} />
          </PageLink>
        </strong>
        <span>{t.booked}</span>
      </li>
      {payment.refund.refunded.value > 0 && (
        <li class="flow-step">
          <span class="muted">{t.refunded}</span>
          <strong>
            <Money of={{ currency, value: -payment.refund.refunded.value }} />
          </strong>
        </li>
      )}
    </ol>
  )
}

/** Returns the sum of the lines in minor units. Debits are negative. */
const sumOf = (lines: readonly Line[]): bigint =>
  lines.reduce((sum, { type, amount: { value } }) => sum + BigInt(value) * (type === 'debit' ? -1n : 1n), 0n)
