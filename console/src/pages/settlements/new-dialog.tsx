import { useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import { api } from '../../api/client.ts'
import { issueAt } from '../../api/errors.ts'
import { useSend } from '../../api/queries.ts'
import { CurrencyField, useCurrencies } from '../../parts/currency.tsx'
import { ChoiceField, Field, FormDialog, TextField } from '../../parts/form.tsx'
import { useProviderChoices } from '../../parts/providers.tsx'
import { parseMoney } from '../../text/format.tsx'
import { useTexts } from '../../text/languages.tsx'
import { texts } from './texts.ts'

export function NewSettlementDialog({ onClose }: { onClose(): void }) {
  const t = useTexts(texts)
  const [, navigate] = useLocation()
  const [first = 'USD'] = useCurrencies()
  const [currency, setCurrency] = useState(first)
  const [isAmountBad, setAmountBad] = useState(false)
  const send = useSend(api.settlements.create)
  const submit = (fields: FormData) => {
    const text = (name: string) => String(fields.get(name) ?? '').trim()
    const value = parseMoney(text('amount'), currency)
    setAmountBad(value === undefined)
    if (value === undefined) return
    const body = {
      kind: text('kind') === 'float_top_up' ? ('float_top_up' as const) : ('payout_to_bank' as const),
      direction: text('direction') === 'disbursement' ? ('disbursement' as const) : ('collection' as const),
      providerId: text('providerId'),
      amount: { currency, value },
      bankReference: text('bankReference'),
      valueDate: text('valueDate'),
      note: text('note') || null,
      isAdvance: fields.has('isAdvance'),
    }
    send.mutate([body], { onSuccess: ({ id }) => navigate(`/settlements/${id}`) })
  }
  const issueOf = (param: string) => issueAt(send.error, param)
  return (
    <FormDialog
      title={t.create}
      action={t.create}
      isBusy={send.isPending}
      error={send.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <p class="field">{t.createText}</p>
      <ChoiceField name="kind" label={t.type} choices={t.kinds} issue={issueOf('kind')} />
      <ChoiceField
        name="providerId"
        label={t.provider}
        choices={useProviderChoices()}
        isRequired
        issue={issueOf('providerId')}
      />
      <ChoiceField name="direction" label={t.direction} choices={t.directions} issue={issueOf('direction')} />
      <CurrencyField label={t.currency} initial={currency} onChange={setCurrency} />
      <TextField
        name="amount"
        label={t.amountIn(currency)}
        max={24}
        inputMode="decimal"
        isRequired
        issue={isAmountBad ? t.notAnAmount : issueOf('amount.value')}
      />
      <TextField
        name="bankReference"
        label={t.bankReference}
        max={64}
        isRequired
        issue={issueOf('bankReference')}
      />
      <Field label={t.valueDate} issue={issueOf('valueDate')}>
        {(controls) => <input {...controls} name="valueDate" type="date" required />}
      </Field>
      <TextField name="note" label={t.note} max={255} issue={issueOf('note')} />
      <label class="choice">
        <input type="checkbox" name="isAdvance" /> {t.isAdvance}
      </label>
      <p class="muted">{t.advanceHint}</p>
    </FormDialog>
  )
}
