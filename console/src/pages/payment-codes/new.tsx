import { useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import { api, type InputOf } from '../../api/client.ts'
import { issueAt } from '../../api/errors.ts'
import { useSend } from '../../api/queries.ts'
import { useCurrentSpace } from '../../api/scope.tsx'
import { CurrencyField, useCurrencies } from '../../parts/currency.tsx'
import { ChoiceField, PageForm, TextField } from '../../parts/form.tsx'
import { PageHead } from '../../parts/page.tsx'
import { countries } from '../../text/countries.ts'
import { parseMoney } from '../../text/format.tsx'
import { useTexts } from '../../text/languages.tsx'
import { parsePhone } from '../../text/phones.ts'
import { texts } from './texts.ts'

type NewCode = InputOf<typeof api.paymentCodes.create>
type Mode = NonNullable<NewCode['mode']>

/**
 * Reads the form. An invalid amount or count becomes `NaN`, and an invalid phone number becomes an empty
 * string.
 */
function readFields(fields: FormData, currency: string, country: string) {
  const text = (name: string) => String(fields.get(name) ?? '').trim()
  const amountOf = (name: string) => (text(name) ? (parseMoney(text(name), currency) ?? Number.NaN) : null)
  const count = text('targetCount')
  return {
    name: text('name'),
    mode: text('mode') as Mode,
    duration: text('duration'),
    reference: text('reference') || null,
    customer: text('customer') ? { name: text('customer') } : null,
    amount: amountOf('amount'),
    phone: text('phone') ? (parsePhone(text('phone'), country) ?? '') : null,
    count: count === '' ? null : /^\d{1,7}$/.test(count) ? Number(count) : Number.NaN,
    total: amountOf('targetTotal'),
  }
}
type Fields = ReturnType<typeof readFields>

/** Returns for each field whether its value is invalid. */
const issuesByField = ({ amount, total, count, phone }: Fields) => ({
  amount: Number.isNaN(amount),
  targetTotal: Number.isNaN(total),
  targetCount: Number.isNaN(count) || count === 0,
  phone: phone === '',
})

function bodyOf({ amount, total, count, phone, ...rest }: Fields, currency: string): NewCode {
  const money = (value: number | null) => (value === null ? null : { currency, value })
  const isTargeted = rest.mode === 'recurrent' && (count !== null || total !== null)
  return {
    ...rest,
    amount: money(amount),
    authorizedPhoneNumber: phone,
    recurrentPaymentTarget: isTargeted
      ? { expectedPaymentCount: count, expectedPaymentTotal: money(total) }
      : null,
  }
}

/** The page for creating a payment code. */
export default function NewPaymentCode() {
  const t = useTexts(texts)
  const { country } = useCurrentSpace().space
  const [, navigate] = useLocation()
  const [firstCurrency = 'USD'] = useCurrencies()
  const [currency, setCurrency] = useState(firstCurrency)
  const [mode, setMode] = useState('one_time')
  const [issues, setIssues] = useState<Partial<ReturnType<typeof issuesByField>>>({})
  const send = useSend(api.paymentCodes.create)
  const submit = (form: FormData) => {
    const fields = readFields(form, currency, country)
    const found = issuesByField(fields)
    setIssues(found)
    if (Object.values(found).some(Boolean)) return
    const body = bodyOf(fields, currency)
    send.mutate([body], { onSuccess: ({ id }) => navigate(`/payment-codes/${id}`, { replace: true }) })
  }
  const issueOf = (param: string) => issueAt(send.error, param)
  return (
    <>
      <PageHead title={t.create} above={{ title: t.codes, path: '/payment-codes' }} />
      <PageForm action={t.make} isBusy={send.isPending} error={send.error} onSubmit={submit}>
        <TextField name="name" label={t.what} hint={t.whatHint} max={64} isRequired issue={issueOf('name')} />
        <ChoiceField name="mode" label={t.type} hint={t.modeHint} choices={t.modes} onChange={setMode} />
        <CurrencyField label={t.currency} initial={currency} onChange={setCurrency} />
        <TextField
          name="amount"
          label={t.amountIn(currency)}
          hint={t.amountHint}
          max={24}
          inputMode="decimal"
          issue={issues.amount ? t.notAnAmount : issueOf('amount.value')}
        />
        <ChoiceField name="duration" label={t.expiresAfter} choices={t.durations} initial="1d" />
        <details>
          <summary>{t.more}</summary>
          <TextField name="reference" label={t.reference} max={64} issue={issueOf('reference')} />
          <TextField name="customer" label={t.payer} max={100} issue={issueOf('customer.name')} />
          <TextField
            name="phone"
            type="tel"
            label={t.onlyPhone}
            hint={t.phoneHint(countries[country]?.example ?? '')}
            max={32}
            issue={issues.phone ? t.notAPhone : issueOf('authorizedPhoneNumber')}
          />
          {mode === 'recurrent' && (
            <>
              <TextField
                name="targetCount"
                label={t.maxPayments}
                max={7}
                inputMode="numeric"
                issue={issues.targetCount ? t.notACount : undefined}
              />
              <TextField
                name="targetTotal"
                label={t.targetTotal(currency)}
                max={24}
                inputMode="decimal"
                issue={issues.targetTotal ? t.notAnAmount : undefined}
              />
            </>
          )}
        </details>
      </PageForm>
    </>
  )
}
