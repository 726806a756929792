import { useCurrentSpace } from '../../api/scope.tsx'
import { useCurrencies } from '../../parts/country.ts'
import { AmountField } from '../../parts/form.tsx'
import type { FormReader } from '../../parts/form-reader.ts'
import { MemberName } from '../../parts/member-name.tsx'
import { useMoney } from '../../text/format.tsx'
import { moneyInputValue } from '../../text/money.ts'
import {
  type SettingsChange,
  SettingsForm,
  type SettingsFormProps,
  type SpaceSettings,
  useChange,
} from './settings-form.tsx'
import { useTexts } from './texts.ts'

const kinds = ['payoutApprovalAbove', 'refundApprovalAbove'] as const
type Kind = (typeof kinds)[number]

/** The form for approval limits in the Space's default currency and in every other currency that has a limit. */
export function ApprovalsForm({ settings, isFixed }: SettingsFormProps) {
  const t = useTexts()
  const send = useChange()
  const [first = 'USD'] = useCurrencies()
  const currencies = (kind: Kind) => [...new Set([first, ...settings[kind].map(({ currency }) => currency)])]
  const read = (form: FormReader) => {
    const limitsOf = (kind: Kind) =>
      currencies(kind).flatMap((currency) => {
        const name = `${kind} ${currency}`
        if (/^0+([.,]0+)?$/.test(form.text(name))) return [{ currency, value: 0 }]
        return form.amountOrNull(name, currency) ?? []
      })
    return {
      payoutApprovalAbove: limitsOf('payoutApprovalAbove'),
      refundApprovalAbove: limitsOf('refundApprovalAbove'),
    }
  }
  const labels = { payoutApprovalAbove: t.payoutsAbove, refundApprovalAbove: t.refundsAbove }
  return (
    <SettingsForm isFixed={isFixed} send={send} read={read}>
      <p class="hint">{t.approvalsHint}</p>
      {settings.proposedApprovalsAbove.map((proposal) => (
        <Proposal
          key={`${proposal.kind} ${proposal.currency}`}
          {...{ proposal, settings, isFixed }}
          agree={(body) => send.mutate([body])}
        />
      ))}
      {kinds.map((kind) =>
        currencies(kind).map((currency) => {
          const limit = settings[kind].find((one) => one.currency === currency)
          const name = `${kind} ${currency}`
          return (
            <AmountField
              key={name}
              name={name}
              label={labels[kind](currency)}
              initial={limit && moneyInputValue(limit)}
            />
          )
        }),
      )}
    </SettingsForm>
  )
}

type ProposalProps = SettingsFormProps & {
  proposal: SpaceSettings['proposedApprovalsAbove'][number]
  agree(change: NonNullable<SettingsChange>): void
}

/** A proposal to raise or remove a limit. Another member approves it by submitting the same change. */
function Proposal({ proposal, settings, isFixed, agree }: ProposalProps) {
  const t = useTexts()
  const money = useMoney()
  const { me } = useCurrentSpace()
  const { kind, currency, value, proposedBy } = proposal
  const name = `${kind}ApprovalAbove` as const
  const agreed = () => {
    const others = settings[name].filter((limit) => limit.currency !== currency)
    agree({ [name]: value === null ? others : [...others, { currency, value }] })
  }
  return (
    <p class="hint">
      {value === null ? t.proposedNone[kind](currency) : t.proposed[kind](money({ currency, value }))}{' '}
      {t.proposedBy} <MemberName id={proposedBy} />.{' '}
      {isFixed || proposedBy === me.user.id ? (
        t.waitsForAnother
      ) : (
        <button type="button" onClick={agreed}>
          {t.agree}
        </button>
      )}
    </p>
  )
}
