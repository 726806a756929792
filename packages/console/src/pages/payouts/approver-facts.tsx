import { useCurrentSpace, usePermissions } from '../../api/scope.tsx'
import { PageLink } from '../../parts/links.tsx'
import { MemberName } from '../../parts/member-name.tsx'
import { useMoney } from '../../text/format.tsx'
import { usePayeeName } from './holder.tsx'
import { type Payout, stateOf } from './payout-status.tsx'
import { useTexts } from './texts.ts'

/**
 * The email address of the member who created a payout, or “Another member” if the user may not see the team.
 */
export function Requester({ id }: { id: string }) {
  const t = useTexts()
  const { me } = useCurrentSpace()
  const mayList = usePermissions()('members:read')
  return mayList || id === me.user.id ? <MemberName id={id} /> : t.anotherMember
}

/**
 * Shows the outcome of a payout that the user has just approved or rejected. A payout whose outcome is
 * unknown is being sent, so it is never said to be paid. `path` is that of its page, if it is shown elsewhere.
 */
export function DecisionOutcome({ payout, path }: { payout: Payout; path?: string }) {
  const t = useTexts()
  const money = useMoney()
  const payee = usePayeeName(payout)
  const state = stateOf(payout)
  const tone = state === 'paid' ? 'good' : state === 'failed' ? 'bad' : ''
  if (state === 'waiting') return null
  return (
    <p class={`notice ${tone}`} role="status">
      {t.outcomes[state](money(payout.amount), payee)}
      {path && ' '}
      {path && <PageLink to={path}>{t.openPayout}</PageLink>}
    </p>
  )
}
