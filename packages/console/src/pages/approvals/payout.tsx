import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { api } from '../../api/client.ts'
import { useRead } from '../../api/queries.ts'
import { usePermissions } from '../../api/scope.tsx'
import { ProviderName } from '../../parts/providers.tsx'
import type { Selection } from '../../parts/selection.tsx'
import { Money, Time, useMoney } from '../../text/format.tsx'
import { PayoutDecisions } from '../payouts/decisions.tsx'
import { Holder } from '../payouts/holder.tsx'
import { usePayableProviders } from '../payouts/payable-providers.ts'
import { type Payout, payeeOf } from '../payouts/payout-status.tsx'
import { useTexts as usePayoutTexts } from '../payouts/texts.ts'
import { useTexts } from './texts.ts'
import { Waiting } from './waiting.tsx'

type Props = { payout: Payout; selection: Selection | undefined }

/** A payout that awaits approval. The details for its approver are read once the payout is in view. */
export function WaitingPayout({ payout, selection }: Props) {
  const t = useTexts()
  const p = usePayoutTexts()
  const money = useMoney()
  const may = usePermissions()
  const item = useRef<HTMLLIElement>(null)
  const isSeen = useIsSeen(item)
  const { id, amount, fees, destination, metadata, source } = payout
  const { phoneNumber } = destination
  const payee = payeeOf(payout)
  const title = `${money(amount)} · ${payee}`
  return (
    <Waiting
      of={payout}
      item={item}
      path={`/payouts/${id}`}
      title={title}
      pick={
        selection && (
          <input
            type="checkbox"
            aria-label={t.pick(title)}
            checked={selection.has(id)}
            onChange={({ currentTarget }) => selection.set([id], currentTarget.checked)}
          />
        )
      }
      facts={[
        [t.reason, typeof metadata.note === 'string' && metadata.note],
        [t.provider, <ProviderName id={destination.providerId} />],
        [p.holder, may('provider-kyc:read') && isSeen && <HolderOf payout={payout} />],
        [t.earlier, phoneNumber && isSeen && <EarlierPayouts phoneNumber={phoneNumber} />],
        [t.fees, fees.map((fee) => money(fee.amount)).join(', ')],
        [
          p.availableAfter,
          may('balances:read') && isSeen && <BalanceAfter accountId={source.financialAccountId} />,
        ],
      ]}
    >
      <PayoutDecisions payout={payout} />
    </Waiting>
  )
}

function HolderOf({ payout }: { payout: Payout }) {
  const p = usePayoutTexts()
  const all = usePayableProviders()
  const { providerId } = payout.destination
  const payable = all.find(({ provider }) => provider.providerId === providerId)
  if (all.length === 0) return p.asking
  return payable ? <Holder account={payeeOf(payout)} provider={payable.provider} /> : p.holderUnchecked
}

/** Maximum number of earlier payouts to count. */
const most = 10

/**
 * Shows the number of earlier payouts to the payee and the time of the last one. The API can look up earlier
 * payouts by phone number only.
 */
function EarlierPayouts({ phoneNumber }: { phoneNumber: string }) {
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

/** Shows the available balance. The amounts of pending payouts are held, so approving one does not change it. */
function BalanceAfter({ accountId }: { accountId: string }) {
  const t = useTexts()
  const { data, error } = useRead(api.financialAccounts.retrieve, [accountId, { withBalance: true }])
  if (error) return <>{t.unknown}</>
  return data?.balance ? <Money of={data.balance.available} /> : <>…</>
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
