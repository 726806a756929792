import { useLocation } from 'wouter-preact'
import { api, type InputOf } from '../../api/client.ts'
import { useSend } from '../../api/queries.ts'
import { useCurrency } from '../../parts/currency.tsx'
import { AmountField, ChoiceField, FormDialog, TextField } from '../../parts/form.tsx'
import type { FormReader } from '../../parts/form-reader.ts'
import { useProviderChoices } from '../../parts/providers.tsx'
import { useTexts } from './texts.ts'

type NewSettlement = InputOf<typeof api.settlements.create>

export function NewSettlementDialog({ onClose }: { onClose(): void }) {
  const t = useTexts()
  const [, navigate] = useLocation()
  const [currency, currencyField] = useCurrency()
  const send = useSend(api.settlements.create)
  const read = (form: FormReader) =>
    [
      {
        kind: form.choice<NewSettlement['kind']>('kind'),
        direction: form.choice<NonNullable<NewSettlement['direction']>>('direction'),
        providerId: form.text('providerId'),
        amount: form.amount('amount', currency),
        bankReference: form.text('bankReference'),
        valueDate: form.text('valueDate'),
        note: form.textOrNull('note'),
        isAdvance: form.has('isAdvance'),
      },
    ] as const
  return (
    <FormDialog
      title={t.create}
      action={t.create}
      send={send}
      read={read}
      onSent={({ id }) => navigate(`/settlements/${id}`)}
      onClose={onClose}
    >
      <p class="field">{t.createText}</p>
      <ChoiceField name="kind" label={t.type} choices={t.kinds} />
      <ChoiceField name="providerId" label={t.provider} choices={useProviderChoices()} isRequired />
      <ChoiceField name="direction" label={t.direction} choices={t.directions} />
      {currencyField}
      <AmountField name="amount" at="amount.value" label={t.amountIn(currency)} isRequired />
      <TextField name="bankReference" label={t.bankReference} max={64} isRequired />
      <TextField name="valueDate" label={t.valueDate} type="date" isRequired />
      <TextField name="note" label={t.note} max={255} />
      <label class="choice">
        <input type="checkbox" name="isAdvance" /> {t.isAdvance}
      </label>
      <p class="muted">{t.advanceHint}</p>
    </FormDialog>
  )
}
