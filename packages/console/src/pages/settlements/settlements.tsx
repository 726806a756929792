import { useLocation } from 'wouter-preact'
import { api, type InputOf } from '../../api/client.ts'
import { usePermissions } from '../../api/scope.tsx'
import { ConfirmButton } from '../../parts/confirm.tsx'
import { useCurrency } from '../../parts/currency.tsx'
import { AmountField, ChoiceField, TextField } from '../../parts/form.tsx'
import type { FormReader } from '../../parts/form-reader.ts'
import { ListPage } from '../../parts/list-page.tsx'
import { ProviderName, useProviderChoices } from '../../parts/providers.tsx'
import { Status, useStatusChoices } from '../../parts/status.tsx'
import { Money, useDayFormat } from '../../text/format.tsx'
import { useTexts } from './texts.ts'

/** The page that lists settlements: provider payouts to the bank, and float top-ups. */
export default function Settlements() {
  const t = useTexts()
  const may = usePermissions()
  const dayText = useDayFormat()
  return (
    <ListPage
      page="/settlements"
      of={api.settlements.list}
      empty={t.empty}
      filters={[
        { name: 'bankReference', label: t.bankReference, type: 'search' },
        { name: 'status', label: t.status, choices: useStatusChoices(['booked', 'reversed']) },
      ]}
      isDated
      columns={[
        { label: t.type, cell: ({ kind }) => t.kinds[kind] },
        { label: t.amount, isNumber: true, cell: ({ amount }) => <Money of={amount} /> },
        { label: t.provider, cell: ({ providerId }) => <ProviderName id={providerId} /> },
        { label: t.bankReference, isExtra: true, cell: ({ bankReference }) => bankReference },
        { label: t.valueDate, isExtra: true, cell: ({ valueDate }) => dayText(valueDate) },
        { label: t.status, cell: ({ status }) => <Status of={status} /> },
      ]}
    >
      {may('settlements:write') && <RecordSettlement />}
    </ListPage>
  )
}

type NewSettlement = InputOf<typeof api.settlements.create>

function RecordSettlement() {
  const t = useTexts()
  const [, navigate] = useLocation()
  const [currency, currencyField] = useCurrency()
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
    <ConfirmButton
      call={api.settlements.create}
      args={read}
      action={t.create}
      isDangerous={false}
      onSent={({ id }) => navigate(`/settlements/${id}`)}
    >
      <p class="field">{t.createText}</p>
      <ChoiceField name="kind" label={t.type} choices={t.kinds} />
      <ChoiceField
        name="providerId"
        label={t.provider}
        choices={{ '': t.chooseProvider, ...useProviderChoices() }}
        isRequired
      />
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
    </ConfirmButton>
  )
}
