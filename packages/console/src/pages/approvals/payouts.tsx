import { useRef } from 'preact/hooks'
import { api } from '../../api/client.ts'
import { useRows } from '../../api/queries.ts'
import { useCurrentSpace } from '../../api/scope.tsx'
import { BulkButton } from '../../parts/bulk-button.tsx'
import { Section } from '../../parts/page.tsx'
import { useSelection } from '../../parts/selection.tsx'
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
  // The button remains after its payouts have left the list, because its dialog shows their outcomes.
  const hasSeveral = useRef(false)
  hasSeveral.current ||= decidable.length > 1
  return (
    <Section
      title={t.payouts}
      more={
        hasSeveral.current && (
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
        )
      }
    >
      <Paged read={{ ...read, rows }} empty={t.noPayouts}>
        <ul class="approvals">
          {rows.map((payout) => (
            <WaitingPayout
              key={payout.id}
              payout={payout}
              selection={decidable.includes(payout) && hasSeveral.current ? selection : undefined}
            />
          ))}
        </ul>
      </Paged>
    </Section>
  )
}
