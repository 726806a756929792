import { api } from '../../api/client.ts'
import { useSend } from '../../api/queries.ts'
import { useCurrentSpace } from '../../api/scope.tsx'
import { AmountField } from '../../parts/form.tsx'
import { MemberName } from '../../parts/member-name.tsx'
import { ErrorNotice } from '../../parts/notices.tsx'
import { useMoney } from '../../text/format.tsx'
import type { Values } from './draft.ts'
import { useTexts } from './texts.ts'
import { currenciesOf, limitKinds, limitName, type SpaceSettings } from './values.ts'

type Props = { settings: SpaceSettings; isFixed: boolean; base: Values; own: string }

/** The fields for approval limits in the Space's own currency and in every other currency that has a limit. */
export function ApprovalFields({ settings, isFixed, base, own }: Props) {
  const t = useTexts()
  const labels = { payoutApprovalAbove: t.payoutsAbove, refundApprovalAbove: t.refundsAbove }
  return (
    <>
      <p class="hint">{t.approvalsHint}</p>
      {settings.proposedApprovalsAbove.map((proposal) => (
        <Proposal key={`${proposal.kind} ${proposal.currency}`} {...{ proposal, settings, isFixed }} />
      ))}
      {limitKinds.map((kind) =>
        currenciesOf(settings, kind, own).map((currency) => {
          const name = limitName(kind, currency)
          return (
            <AmountField
              key={name}
              name={name}
              at={kind}
              label={labels[kind](currency)}
              initial={base[name]}
            />
          )
        }),
      )}
    </>
  )
}

type ProposalProps = {
  proposal: SpaceSettings['proposedApprovalsAbove'][number]
  settings: SpaceSettings
  isFixed: boolean
}

/** A proposal to raise or remove a limit. Another member approves it by submitting the same change. */
function Proposal({ proposal, settings, isFixed }: ProposalProps) {
  const t = useTexts()
  const money = useMoney()
  const { me } = useCurrentSpace()
  const send = useSend(api.settings.update)
  const { kind, currency, value, proposedBy } = proposal
  const name = `${kind}ApprovalAbove` as const
  const agree = () => {
    const others = settings[name].filter((limit) => limit.currency !== currency)
    send.mutate([{ [name]: value === null ? others : [...others, { currency, value }] }])
  }
  return (
    <>
      <p class="hint">
        {value === null ? t.proposedNone[kind](currency) : t.proposed[kind](money({ currency, value }))}{' '}
        {t.proposedBy} <MemberName id={proposedBy} />.{' '}
        {isFixed || proposedBy === me.user.id ? (
          t.waitsForAnother
        ) : (
          <button type="button" disabled={send.isPending} onClick={agree}>
            {t.agree}
          </button>
        )}
      </p>
      <ErrorNotice error={send.error} />
    </>
  )
}
