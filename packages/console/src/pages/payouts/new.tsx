import { useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import { api, type InputOf, type ResultOf } from '../../api/client.ts'
import { useSend } from '../../api/queries.ts'
import { usePhoneExample } from '../../parts/country.ts'
import { useCurrency } from '../../parts/currency.tsx'
import { AmountField, ChoiceField, PageForm, TextField } from '../../parts/form.tsx'
import type { FormReader } from '../../parts/form-reader.ts'
import { PageHead } from '../../parts/page.tsx'
import { type Payable, usePayableProviders } from './payable-providers.ts'
import { ReviewDialog } from './review-dialog.tsx'
import { useTexts } from './texts.ts'

type NewPayout = InputOf<typeof api.payouts.create>
type Checked = ResultOf<typeof api.payoutBatches.check>
type Asked = { body: NewPayout; account: string; payable: Payable }
type Review = Asked & { checked: Checked }
type IssueField = 'amount' | 'account'

function destinationOf(
  { type, provider: { providerId } }: Payable,
  account: string,
): NewPayout['destination'] {
  if (type === 'momo') return { type, providerId, phoneNumber: account }
  if (type === 'bank') return { type, providerId, accountNumber: account }
  return { type, providerId, walletId: account }
}

/**
 * The page for creating a single payout. The payout is checked as a batch with one row, and shown for review
 * before it is created.
 */
export default function NewPayoutPage() {
  const t = useTexts()
  const example = usePhoneExample()
  const [, navigate] = useLocation()
  const [currency, currencyField] = useCurrency()
  const all = usePayableProviders()
  const [chosen, setChosen] = useState('')
  const payable = all.find(({ provider }) => provider.providerId === chosen)
  const [refused, setRefused] = useState<Partial<Record<IssueField, string>>>({})
  const [review, setReview] = useState<Review>()
  const check = useSend(api.payoutBatches.check)
  const type = payable?.type ?? 'momo'

  const read = (form: FormReader): Asked | undefined => {
    setRefused({})
    const account = type === 'momo' ? form.phone('account', t.noAccount.momo) : form.text('account')
    if (!account) form.refuse('account', t.noAccount[type])
    const amount = form.amount('amount', currency)
    const note = form.text('note')
    const body = payable && {
      ...{ amount, destination: destinationOf(payable, account) },
      ...(note && { metadata: { note } }),
    }
    return payable && body && { body, account, payable }
  }
  const ask = (asked: Asked) =>
    check.mutate([{ rows: [asked.body] }], {
      onSuccess: (checked) =>
        checked.ok ? setReview({ ...asked, checked }) : setRefused(issuesByField(checked)),
    })
  return (
    <>
      <PageHead title={t.create} above="/payouts" />
      <PageForm action={t.check} send={{ ...check, mutate: ask }} read={read}>
        <ChoiceField
          name="provider"
          label={t.provider}
          choices={choicesOf(all, t.chooseProvider)}
          isRequired
          onChange={setChosen}
        />
        <TextField
          name="account"
          type={type === 'momo' ? 'tel' : 'text'}
          label={t.accounts[type]}
          hint={type === 'momo' ? t.phoneHint(example) : undefined}
          max={64}
          isRequired
          issue={refused.account}
        />
        {currencyField}
        <AmountField name="amount" label={t.amountIn(currency)} isRequired issue={refused.amount} />
        <TextField name="note" label={t.reason} hint={t.reasonHint} max={500} />
      </PageForm>
      {review && (
        <ReviewDialog
          {...review}
          onClose={() => setReview(undefined)}
          onCreated={(id) => navigate(`/payouts/${id}`, { replace: true })}
        />
      )}
    </>
  )
}

const choicesOf = (all: Payable[], none: string) => ({
  '': none,
  ...Object.fromEntries(all.map(({ provider }) => [provider.providerId, provider.name])),
})

/**
 * Returns the first error for each form field. Errors that do not concern the amount are shown next to the
 * payee's account.
 */
function issuesByField({ rows: [row] }: Checked): Partial<Record<IssueField, string>> {
  const found: Partial<Record<IssueField, string>> = {}
  for (const { param, errors } of row?.faults ?? [])
    found[param.startsWith('amount') ? 'amount' : 'account'] ??= errors.join('; ')
  return found
}
