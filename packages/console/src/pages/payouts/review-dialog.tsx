import { api, type InputOf, type ResultOf } from '../../api/client.ts'
import { useSend } from '../../api/queries.ts'
import { FormDialog } from '../../parts/form.tsx'
import { Facts } from '../../parts/page.tsx'
import { PayoutWarnings } from '../../parts/payout-warnings.tsx'
import { ProviderName } from '../../parts/providers.tsx'
import { Money } from '../../text/format.tsx'
import { Holder } from './holder.tsx'
import type { Payable } from './payable-providers.ts'
import { useTexts } from './texts.ts'

type NewPayout = InputOf<typeof api.payouts.create>
type Props = {
  body: NewPayout
  /** The payee's phone number, account number or wallet ID. */
  account: string
  payable: Payable
  checked: ResultOf<typeof api.payoutBatches.check>
  onClose(): void
  onCreated(id: string): void
}

/** A dialog that shows the fees, the balance and any warnings before a payout is created. */
export function ReviewDialog({ body, account, payable, checked, onClose, onCreated }: Props) {
  const t = useTexts()
  const send = useSend(api.payouts.create)
  const [total] = checked.totals
  const warnings = checked.rows[0]?.warnings ?? []
  const left = total?.availableAfter
  return (
    <FormDialog
      title={t.reviewTitle}
      action={checked.approvalRequired ? t.ask : t.send}
      send={send}
      read={() => [body]}
      onSent={({ id }) => onCreated(id)}
      onClose={onClose}
    >
      <Facts
        of={[
          [t.payee, account],
          [t.holder, <Holder account={account} provider={payable.provider} />],
          [t.reason, typeof body.metadata?.note === 'string' && body.metadata.note],
          [t.provider, <ProviderName id={payable.provider.providerId} />],
          [t.amount, <Money of={body.amount} />],
          [t.fees, total && <Money of={total.fees} />],
          [t.availableAfter, left && <Money of={left} />],
        ]}
      />
      {warnings.length > 0 && (
        <div class="notice">
          <PayoutWarnings of={warnings} />
        </div>
      )}
      <p class="field">{checked.approvalRequired ? t.askWarning : t.sendWarning}</p>
    </FormDialog>
  )
}
