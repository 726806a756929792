import type { ComponentChildren, RefObject } from 'preact'
import { useCurrentSpace, usePermissions } from '../../api/scope.tsx'
import { PageLink } from '../../parts/links.tsx'
import { MemberName } from '../../parts/member-name.tsx'
import { Facts } from '../../parts/page.tsx'
import { Time } from '../../text/format.tsx'
import { useTexts } from './texts.ts'

/** Payouts, batches and refunds that await approval all have the status `pending`. */
export const pending = [{ status: 'pending', limit: 50 }] as const

type Props = {
  of: { createUserId: string | null; createTime: string }
  /** Amount and recipient. It links to the page of the object. */
  title: ComponentChildren
  path: string
  /** The box to select the object. */
  pick?: ComponentChildren
  facts: [label: string, value: ComponentChildren][]
  /** The buttons for the decision. */
  children: ComponentChildren
  item?: RefObject<HTMLLIElement>
}

/** An object that awaits approval, with the details for its approver and the buttons for the decision. */
export function Waiting({ of, title, path, pick, facts, children, item }: Props) {
  const t = useTexts()
  return (
    <li class="card approval" ref={item ?? null}>
      <h3>
        {pick}
        <PageLink to={path}>{title}</PageLink>
      </h3>
      <Facts
        of={[
          ...facts,
          [t.requestedBy, of.createUserId && <Requester id={of.createUserId} />],
          [t.requested, <Time at={of.createTime} />],
        ]}
      />
      <div class="actions">{children}</div>
    </li>
  )
}

/**
 * The email address of the member who created the object, or “Another member” if the user may not see the team.
 */
function Requester({ id }: { id: string }) {
  const t = useTexts()
  const { me } = useCurrentSpace()
  const mayList = usePermissions()('members:read')
  return mayList || id === me.user.id ? <MemberName id={id} /> : t.anotherMember
}
