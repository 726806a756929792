import { api } from '../../api/client.ts'
import { useRead } from '../../api/queries.ts'
import { useCurrentSpace, usePermissions } from '../../api/scope.tsx'
import { MemberName } from '../../parts/member-name.tsx'
import { Money, Time, useMoney } from '../../text/format.tsx'
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

/** Maximum number of earlier payouts to count. */
const most = 10

/**
 * Shows the number of earlier payouts to the payee and the last one. The API looks up earlier payouts by phone
 * number only.
 */
export function EarlierPayouts({ phoneNumber }: { phoneNumber: string }) {
  const t = useTexts()
  const { data, error } = useRead(api.payouts.list, [{ phoneNumber, status: 'completed', limit: most }])
  if (error) return <>{t.unknown}</>
  if (!data) return <>…</>
  const [last] = data
  if (!last) return <span class="status waits">{t.firstPayout}</span>
  return (
    <>
      {data.length < most ? data.length : t.atLeast(most)}, {t.last} <Money of={last.amount} />,{' '}
      <Time at={last.createTime} />
    </>
  )
}

/** Shows the available balance. The amount of a pending payout is held, so approving it changes nothing. */
export function BalanceAfter({ accountId }: { accountId: string }) {
  const t = useTexts()
  const { data, error } = useRead(api.financialAccounts.retrieve, [accountId, { withBalance: true }])
  if (error) return <>{t.unknown}</>
  return data?.balance ? <Money of={data.balance.available} /> : <>…</>
}

/**
 * Says what has become of a payout that the user has just approved or rejected. A payout whose outcome is
 * unknown is being sent, so it is never said to be paid.
 */
export function DecisionOutcome({ payout }: { payout: Payout }) {
  const t = useTexts()
  const money = useMoney()
  const payee = usePayeeName(payout)
  const state = stateOf(payout)
  const tone = state === 'paid' ? 'good' : state === 'failed' ? 'bad' : ''
  if (state === 'waiting') return null
  return (
    <p class={`notice ${tone}`} role="status">
      {t.outcomes[state](money(payout.amount), payee)}
    </p>
  )
}
