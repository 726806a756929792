import { api } from '../../api/client.ts'
import { useRows } from '../../api/queries.ts'
import { useCurrentSpace } from '../../api/scope.tsx'
import { BulkButton } from '../../parts/bulk-button.tsx'
import { Section } from '../../parts/page.tsx'
import { SelectionBar, useSelection } from '../../parts/selection.tsx'
import { Paged } from '../../parts/table.tsx'
import { Money } from '../../text/format.tsx'
import { payeeOf } from '../payouts/payout-status.tsx'
import { WaitingPayout } from './payout.tsx'
import { useTexts } from './texts.ts'
import { pending } from './waiting.tsx'

/** The payouts that await approval. Several of them can be approved at once. */
export function WaitingPayouts() {
  const t = useTexts()
  const { me } = useCurrentSpace()
  const read = useRows(api.payouts.list, pending)
  const rows = read.rows.filter(({ approval }) => approval?.status === 'required')
  const decidable = rows.filter(({ createUserId }) => createUserId !== me.user.id)
  const { selection, chosen, clear } = useSelection(decidable)
  return (
    <Section title={t.payouts}>
      <Paged read={{ ...read, rows }} empty={t.noPayouts}>
        <ul class="approvals">
          {rows.map((payout) => (
            <WaitingPayout
              key={payout.id}
              payout={payout}
              selection={decidable.includes(payout) && decidable.length > 1 ? selection : undefined}
            />
          ))}
        </ul>
      </Paged>
      <SelectionBar {...{ chosen, clear }} file="payouts.csv">
        <BulkButton
          action={t.approveSelected(chosen.length)}
          title={t.approveSelected(chosen.length)}
          rows={chosen}
          nameOf={(payout) => (
            <>
              {payeeOf(payout)} · <Money of={payout.amount} />
            </>
          )}
          call={api.payouts.approve}
          argsOf={({ id }) => [id]}
          onSent={clear}
        >
          <p class="field">{t.approveSelectedText}</p>
        </BulkButton>
      </SelectionBar>
    </Section>
  )
}
