import { api } from '../../api/client.ts'
import { useRead, useRows } from '../../api/queries.ts'
import { usePermissions } from '../../api/scope.tsx'
import { ProviderName } from '../../parts/providers.tsx'
import type { Selection } from '../../parts/selection.tsx'
import { useMoney } from '../../text/format.tsx'
import { DecisionOutcome } from '../payouts/approver-facts.tsx'
import { PayoutDecisions } from '../payouts/decisions.tsx'
import { PayeeHolder } from '../payouts/holder.tsx'
import { isMoving, type Payout, payeeOf } from '../payouts/payout-status.tsx'
import { useTexts as usePayoutTexts } from '../payouts/texts.ts'
import { useTexts } from './texts.ts'
import { pending, Waiting } from './waiting.tsx'
import { WaitingList } from './waiting-list.tsx'

/** The payouts that await approval. */
export function WaitingPayouts() {
  const t = useTexts()
  const money = useMoney()
  const read = useRows(api.payouts.list, pending)
  const rows = read.rows.filter(({ approval }) => approval?.status === 'required')
  const nameOf = (payout: Payout) => `${money(payout.amount)} · ${payeeOf(payout)}`
  const pathOf = ({ id }: Payout) => `/payouts/${id}`
  return (
    <WaitingList
      kind="payouts"
      title={t.payouts}
      {...{ read, rows, nameOf, pathOf }}
      outcomeOf={(payout) => <Decided key={payout.id} payout={payout} path={pathOf(payout)} />}
    >
      {(payout, selection) => (
        <WaitingPayout
          key={payout.id}
          title={nameOf(payout)}
          path={pathOf(payout)}
          {...{ payout, selection }}
        />
      )}
    </WaitingList>
  )
}

/** Shows the current outcome of a payout that the user has approved or rejected. */
function Decided({ payout: listed, path }: { payout: Payout; path: string }) {
  const { data: payout = listed } = useRead(api.payouts.retrieve, [listed.id], { isMoving })
  return <DecisionOutcome {...{ payout, path }} />
}

type Props = { payout: Payout; title: string; path: string; selection: Selection | undefined }

function WaitingPayout({ payout, title, path, selection }: Props) {
  const t = useTexts()
  const p = usePayoutTexts()
  const money = useMoney()
  const may = usePermissions()
  const { fees, destination, metadata } = payout
  return (
    <Waiting
      kind="payouts"
      of={payout}
      {...{ title, path, selection }}
      facts={[
        [t.reason, typeof metadata.note === 'string' && metadata.note],
        [t.provider, <ProviderName id={destination.providerId} />],
        [t.fees, fees.map((fee) => money(fee.amount)).join(', ')],
      ]}
      factsInView={() => [[p.holder, may('provider-kyc:read') && <PayeeHolder payout={payout} />]]}
    >
      <PayoutDecisions payout={payout} />
    </Waiting>
  )
}
