import { useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import { api, type InputOf } from '../../api/client.ts'
import { useSend } from '../../api/queries.ts'
import { useCurrency } from '../../parts/currency.tsx'
import { AmountField, ChoiceField, PageForm, PhoneField, TextField } from '../../parts/form.tsx'
import type { FormReader } from '../../parts/form-reader.ts'
import { PageHead } from '../../parts/page.tsx'
import { useTexts } from './texts.ts'

type NewCode = InputOf<typeof api.paymentCodes.create>
type Mode = NonNullable<NewCode['mode']>

function codeIn(form: FormReader, currency: string): NewCode {
  const mode = form.choice<Mode>('mode')
  const customer = form.text('customer')
  const expectedPaymentCount = form.countOrNull('targetCount')
  const expectedPaymentTotal = form.amountOrNull('targetTotal', currency)
  const isTargeted = mode === 'recurrent' && (expectedPaymentCount !== null || expectedPaymentTotal !== null)
  return {
    name: form.text('name'),
    mode,
    duration: form.text('duration'),
    reference: form.textOrNull('reference'),
    customer: customer ? { name: customer } : null,
    amount: form.amountOrNull('amount', currency),
    authorizedPhoneNumber: form.text('phone') ? form.phone('phone') : null,
    recurrentPaymentTarget: isTargeted ? { expectedPaymentCount, expectedPaymentTotal } : null,
  }
}

/** The page for creating a payment code. */
export default function NewPaymentCode() {
  const t = useTexts()
  const [, navigate] = useLocation()
  const [currency, currencyField] = useCurrency()
  const [mode, setMode] = useState('one_time')
  const send = useSend(api.paymentCodes.create)
  return (
    <>
      <PageHead title={t.create} above="/payment-codes" />
      <PageForm
        action={t.make}
        send={send}
        read={(form) => [codeIn(form, currency)]}
        onSent={({ id }) => navigate(`/payment-codes/${id}`, { replace: true })}
      >
        <TextField name="name" label={t.what} hint={t.whatHint} max={64} isRequired />
        <ChoiceField name="mode" label={t.type} hint={t.modeHint} choices={t.modes} onChange={setMode} />
        {currencyField}
        <AmountField name="amount" at="amount.value" label={t.amountIn(currency)} hint={t.amountHint} />
        <ChoiceField name="duration" label={t.expiresAfter} choices={t.durations} initial="1d" />
        <details>
          <summary>{t.more}</summary>
          <TextField name="reference" label={t.reference} max={64} />
          <TextField name="customer" at="customer.name" label={t.payer} max={100} />
          <PhoneField name="phone" at="authorizedPhoneNumber" label={t.onlyPhone} />
          {mode === 'recurrent' && (
            <>
              <TextField name="targetCount" label={t.maxPayments} max={7} inputMode="numeric" />
              <AmountField name="targetTotal" label={t.targetTotal(currency)} />
            </>
          )}
        </details>
      </PageForm>
    </>
  )
}
