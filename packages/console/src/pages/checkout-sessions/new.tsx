import { useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import { api } from '../../api/client.ts'
import { useSend } from '../../api/queries.ts'
import { useCurrency } from '../../parts/currency.tsx'
import { ChoiceField, PageForm, TextField } from '../../parts/form.tsx'
import type { FormReader } from '../../parts/form-reader.ts'
import { PageHead } from '../../parts/page.tsx'
import { Money } from '../../text/format.tsx'
import { ItemFields, lineItemsFor, totalOf, useItems } from './items.tsx'
import { useTexts } from './texts.ts'

/** The form for creating a checkout page. */
export default function NewCheckoutSession() {
  const t = useTexts()
  const [, navigate] = useLocation()
  const [currency, currencyField] = useCurrency()
  const [showsIssues, setShowsIssues] = useState(false)
  const { '10m': _short, '30d': _long, ...durations } = t.durations
  const items = useItems()
  const send = useSend(api.checkoutSessions.create)
  const total = totalOf(items.items, currency)
  const read = (form: FormReader) => {
    setShowsIssues(true)
    const lineItems = lineItemsFor(items.items, currency, form.text('name'))
    if (!lineItems) return undefined
    const body = {
      name: form.text('name'),
      duration: form.text('duration'),
      lineItems,
      description: form.textOrNull('description'),
      reference: form.textOrNull('reference'),
      successUrl: form.textOrNull('successUrl'),
      cancelUrl: form.textOrNull('cancelUrl'),
    }
    return [body] as const
  }
  return (
    <>
      <PageHead title={t.create} above="/checkout-sessions" />
      <PageForm
        action={t.makeLink}
        send={send}
        read={read}
        onSent={({ id }) => navigate(`/checkout-sessions/${id}`, { replace: true })}
      >
        <TextField name="name" label={t.what} hint={t.shownToPayer} max={100} isRequired />
        {currencyField}
        <ItemFields {...items} currency={currency} showsIssues={showsIssues} />
        <p class="total">
          {t.total} <output>{total === undefined ? '–' : <Money of={{ currency, value: total }} />}</output>
        </p>
        <ChoiceField name="duration" label={t.expiresAfter} choices={durations} initial="1d" />
        <details>
          <summary>{t.more}</summary>
          <TextField name="description" label={t.description} max={1000} />
          <TextField name="reference" label={t.reference} max={255} />
          {(['successUrl', 'cancelUrl'] as const).map((name) => (
            <TextField name={name} label={t[name]} hint={t.urlHint} type="url" max={2000} key={name} />
          ))}
        </details>
      </PageForm>
    </>
  )
}
