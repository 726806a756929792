import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { api } from '../../api/client.ts'
import type { Rows } from '../../api/queries.ts'
import { useCurrentSpace } from '../../api/scope.tsx'
import type { Kind } from '../../parts/approval-details.tsx'
import { BulkButton } from '../../parts/bulk-button.tsx'
import { DecisionContext } from '../../parts/decisions.tsx'
import { PageLink } from '../../parts/links.tsx'
import { Section } from '../../parts/page.tsx'
import { type Selection, useSelection } from '../../parts/selection.tsx'
import { Paged } from '../../parts/table.tsx'
import { useTexts } from './texts.ts'

const approveCalls = {
  payouts: api.payouts.approve,
  batches: api.payoutBatches.approve,
  refunds: api.refunds.approve,
} as const

type Row = { id: string; createUserId: string | null }
type Props<R extends Row> = {
  kind: Kind
  title: string
  // Safe: only its state is used; the rows are passed separately.
  read: Omit<Rows<never>, 'rows'>
  rows: readonly R[]
  nameOf(row: R): string
  pathOf(row: R): string
  /** Shows what became of a row after the user's decision. By default, its name and the decision. */
  outcomeOf?(row: R): ComponentChildren
  /** Shows a row. It can be selected if several rows can be approved. */
  children(row: R, selection: Selection | undefined): ComponentChildren
}

/** A section with the objects of one kind that await approval. Several of them can be approved at once. */
export function WaitingList<R extends Row>(props: Props<R>) {
  const { kind, title, read, rows, nameOf, pathOf, outcomeOf, children } = props
  const t = useTexts()
  const [decided, setDecided] = useState<{ row: R; decision: 'approved' | 'rejected' }>()
  const { me } = useCurrentSpace()
  const decidable = rows.filter(({ createUserId }) => createUserId !== me.user.id)
  const { selection, chosen, clear } = useSelection(decidable)
  // The button remains after its rows have left the list, because its dialog shows their outcomes.
  const hasSeveral = useRef(false)
  hasSeveral.current ||= decidable.length > 1
  const action = t.approveSelected[kind](chosen.length)
  return (
    <Section
      title={title}
      more={
        hasSeveral.current && (
          <BulkButton
            {...{ action, nameOf }}
            title={action}
            rows={chosen}
            call={approveCalls[kind]}
            argsOf={({ id }) => [id]}
            onSent={clear}
          >
            <p class="field">{t.approveSelectedText[kind]}</p>
          </BulkButton>
        )
      }
    >
      {decided && outcomeOf?.(decided.row)}
      {decided && !outcomeOf && (
        <p class="notice good" role="status">
          {t.decided[decided.decision]} <PageLink to={pathOf(decided.row)}>{nameOf(decided.row)}</PageLink>
        </p>
      )}
      <DecisionContext.Provider
        value={(id, decision) => {
          const row = rows.find((each) => each.id === id)
          if (row) setDecided({ row, decision })
        }}
      >
        <Paged read={{ ...read, rows: [...rows] }} empty={t.empty[kind]}>
          <ul class="approvals">
            {rows.map((row) =>
              children(row, decidable.includes(row) && hasSeveral.current ? selection : undefined),
            )}
          </ul>
        </Paged>
      </DecisionContext.Provider>
    </Section>
  )
}
