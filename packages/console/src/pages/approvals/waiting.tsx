import type { ComponentChildren, RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { api, type ResultOf } from '../../api/client.ts'
import { useRead } from '../../api/queries.ts'
import { PageLink } from '../../parts/links.tsx'
import { Facts } from '../../parts/page.tsx'
import type { Selection } from '../../parts/selection.tsx'
import { Money, Time } from '../../text/format.tsx'
import { useTexts } from './texts.ts'

/** Payouts, batches and refunds that await approval all have the status `pending`. */
export const pending = [{ status: 'pending', limit: 50 }] as const

const detailCalls = {
  payouts: api.payouts.approval,
  batches: api.payoutBatches.approval,
  refunds: api.refunds.approval,
} as const
export type Kind = keyof typeof detailCalls
type Details = ResultOf<(typeof detailCalls)[Kind]>

type Props = {
  kind: Kind
  of: { id: string; createUserId: string | null; createTime: string }
  /** Amount and recipient. It links to the page of the object. */
  title: string
  path: string
  /** The selection of the list; undefined if the object cannot be selected. */
  selection: Selection | undefined
  facts: [label: string, value: ComponentChildren][]
  /** Shows facts that are read once the object is in view. */
  factsInView?(): [label: string, value: ComponentChildren][]
  /** The buttons for the decision. */
  children: ComponentChildren
}

/**
 * An object that awaits approval, with the details for its approver and the buttons for the decision. The details are
 * read once the object is in view.
 */
export function Waiting({ kind, of, title, path, selection, facts, factsInView, children }: Props) {
  const t = useTexts()
  const item = useRef<HTMLLIElement>(null)
  const isSeen = useIsSeen(item)
  const { data, error } = useRead(detailCalls[kind], [of.id], { enabled: isSeen })
  const detail = (show: (details: Details) => ComponentChildren) =>
    error ? t.unknown : data ? show(data) : '…'
  return (
    <li class="card approval" ref={item}>
      <h3>
        {selection && (
          <input
            type="checkbox"
            aria-label={t.pick(title)}
            checked={selection.has(of.id)}
            onChange={({ currentTarget }) => selection.set([of.id], currentTarget.checked)}
          />
        )}
        <PageLink to={path}>{title}</PageLink>
      </h3>
      <Facts
        of={[
          [t.requestedBy, of.createUserId && detail(({ requester }) => requester?.email)],
          [t.requested, <Time at={of.createTime} />],
          ...facts,
          ...(isSeen && factsInView ? factsInView() : []),
          [
            t.earlier[kind],
            detail(({ earlier, newPayees }) => <Earlier {...{ kind, earlier, newPayees }} />),
          ],
          [
            t.availableAfter[kind],
            detail(({ balances }) => balances.length > 0 && <Balances of={balances} />),
          ],
        ]}
      />
      <div class="actions">{children}</div>
    </li>
  )
}

type EarlierProps = Pick<Details, 'earlier' | 'newPayees'> & { kind: Kind }

/** Shows earlier payments to the payee or, for a batch, how many of its payees were never paid. */
function Earlier({ kind, earlier, newPayees }: EarlierProps) {
  const t = useTexts()
  if (newPayees !== null)
    return newPayees === 0 ? t.allKnown : <span class="status waits">{t.newPayees(newPayees)}</span>
  if (!earlier) return null
  const { count, isMore, lastAmount, lastTime } = earlier
  if (!lastAmount || !lastTime)
    return kind === 'payouts' ? <span class="status waits">{t.firstPayout}</span> : t.none
  return (
    <>
      {isMore ? t.atLeast(count) : count}, {t.last} <Money of={lastAmount} />, <Time at={lastTime} />
    </>
  )
}

/** Shows the balance that each account will have. It is highlighted if it does not suffice. */
const Balances = ({ of }: { of: Details['balances'] }) => (
  <>
    {of.map(({ financialAccountId, availableAfter }) => (
      <span
        key={financialAccountId ?? availableAfter.currency}
        class={availableAfter.value < 0 ? 'status bad' : ''}
      >
        <Money of={availableAfter} />{' '}
      </span>
    ))}
  </>
)

/** Returns whether the element has been in view. */
function useIsSeen(item: RefObject<Element>): boolean {
  const [isSeen, setSeen] = useState(false)
  useEffect(() => {
    if (!item.current) return undefined
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return
      setSeen(true)
      observer.disconnect()
    })
    observer.observe(item.current)
    return () => observer.disconnect()
  }, [])
  return isSeen
}
