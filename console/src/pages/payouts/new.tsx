import { useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import { api, type InputOf, type ResultOf } from '../../api/client.ts'
import { useSend } from '../../api/queries.ts'
import { useCurrentSpace } from '../../api/scope.tsx'
import { CurrencyField, useCurrencies } from '../../parts/currency.tsx'
import { ChoiceField, PageForm, TextField } from '../../parts/form.tsx'
import { PageHead } from '../../parts/page.tsx'
import { countries } from '../../text/countries.ts'
import { parseMoney } from '../../text/format.tsx'
import { useTexts } from '../../text/languages.tsx'
import { parsePhone } from '../../text/phones.ts'
import { type Payable, usePayableProviders } from './payable-providers.ts'
import { ReviewDialog } from './review-dialog.tsx'
import { texts } from './texts.ts'

type NewPayout = InputOf<typeof api.payouts.create>
type Checked = ResultOf<typeof api.payoutBatches.check>
type Review = { body: NewPayout; account: string; checked: Checked; payable: Payable }
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
  const t = useTexts(texts)
  const { country } = useCurrentSpace().space
  const [, navigate] = useLocation()
  const [first = 'USD'] = useCurrencies()
  const [currency, setCurrency] = useState(first)
  const all = usePayableProviders()
  const [chosen, setChosen] = useState('')
  const payable = all.find(({ provider }) => provider.providerId === chosen)
  const [issues, setIssues] = useState<Partial<Record<IssueField, string>>>({})
  const [review, setReview] = useState<Review>()
  const check = useSend(api.payoutBatches.check)
  const type = payable?.type ?? 'momo'

  const submit = (fields: FormData) => {
    const typed = String(fields.get('account')).trim()
    const account = type === 'momo' ? parsePhone(typed, country) : typed
    const value = parseMoney(String(fields.get('amount')), currency)
    setIssues({
      ...(!account && { account: t.noAccount[type] }),
      ...(value === undefined && { amount: t.notAnAmount }),
    })
    if (!account || value === undefined || !payable) return
    const body = { amount: { currency, value }, destination: destinationOf(payable, account) }
    const onSuccess = (checked: Checked) =>
      checked.ok ? setReview({ body, account, checked, payable }) : setIssues(issuesByField(checked))
    check.mutate([{ rows: [body] }], { onSuccess })
  }
  return (
    <>
      <PageHead title={t.create} above={{ title: t.payouts, path: '/payouts' }} />
      <PageForm action={t.check} isBusy={check.isPending} error={check.error} onSubmit={submit}>
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
          hint={type === 'momo' ? t.phoneHint(countries[country]?.example ?? '') : undefined}
          max={64}
          isRequired
          issue={issues.account}
        />
        <CurrencyField label={t.currency} initial={currency} onChange={setCurrency} />
        <TextField
          name="amount"
          label={t.amountIn(currency)}
          max={24}
          inputMode="decimal"
          isRequired
          issue={issues.amount}
        />
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
