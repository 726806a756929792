import type { ComponentChildren, RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { type Kind, useApprovalDetails } from '../../parts/approval-details.tsx'
import { PageLink } from '../../parts/links.tsx'
import { Facts } from '../../parts/page.tsx'
import type { Selection } from '../../parts/selection.tsx'
import { Time } from '../../text/format.tsx'
import { useTexts } from './texts.ts'

/** Payouts, batches and refunds that await approval all have the status `pending`. */
export const pending = [{ status: 'pending', limit: 50 }] as const

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
  const details = useApprovalDetails(kind, of.id, isSeen)
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
          [t.requestedBy, of.createUserId && details.requester],
          [t.requested, <Time at={of.createTime} />],
          ...facts,
          ...(isSeen && factsInView ? factsInView() : []),
          [t.earlier[kind], details.earlier],
          [t.availableAfter[kind], details.balances],
        ]}
      />
      <div class="actions">{children}</div>
    </li>
  )
}

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
