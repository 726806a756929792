import type { ComponentChildren } from 'preact'
import { api, type ResultOf } from '../api/client.ts'
import { useRead } from '../api/queries.ts'
import { Money, Time } from '../text/format.tsx'
import { createPageTexts } from '../text/words.ts'

const useTexts = createPageTexts(
  {
    firstPayout: 'First payout',
    none: 'None',
    newPayees: (count: number) => (count === 1 ? '1 never paid before' : `${count} never paid before`),
    allKnown: 'All paid before',
    last: 'last',
    unknown: 'Could not be loaded',
  },
  {
    firstPayout: 'Premier versement',
    none: 'Aucun',
    newPayees: (count: number) => (count === 1 ? '1 jamais payé' : `${count} jamais payés`),
    allKnown: 'Tous déjà payés',
    last: 'dernier\u00a0:',
    unknown: 'Chargement impossible',
  },
)

const detailCalls = {
  payouts: api.payouts.approval,
  batches: api.payoutBatches.approval,
  refunds: api.refunds.approval,
} as const
export type Kind = keyof typeof detailCalls
type Details = ResultOf<(typeof detailCalls)[Kind]>

/** The details that an approver of a payout, batch or refund needs, ready to be shown. */
export function useApprovalDetails(kind: Kind, id: string, isEnabled: boolean) {
  const t = useTexts()
  const { data, error } = useRead(detailCalls[kind], [id], { enabled: isEnabled })
  const detail = (show: (details: Details) => ComponentChildren) =>
    error ? t.unknown : data ? show(data) : '…'
  return {
    requester: detail(({ requester }) => requester?.email),
    earlier: detail(({ earlier, newPayees }) => <Earlier {...{ kind, earlier, newPayees }} />),
    balances: detail(({ balances }) => balances.length > 0 && <Balances of={balances} />),
  }
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
