import { useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import { api } from '../../api/client.ts'
import { issueAt } from '../../api/errors.ts'
import { useSend } from '../../api/queries.ts'
import { CurrencyField, useCurrencies } from '../../parts/currency.tsx'
import { ChoiceField, PageForm, TextField } from '../../parts/form.tsx'
import { PageHead } from '../../parts/page.tsx'
import { Money } from '../../text/format.tsx'
import { useTexts } from '../../text/languages.tsx'
import { ItemFields, lineItemsFor, totalOf, useItems } from './items.tsx'
import { texts } from './texts.ts'

/** The form for creating a checkout page. */
export default function NewCheckoutSession() {
  const t = useTexts(texts)
  const [, navigate] = useLocation()
  const [firstCurrency = 'USD'] = useCurrencies()
  const [currency, setCurrency] = useState(firstCurrency)
  const [showsIssues, setShowsIssues] = useState(false)
  const { '10m': _short, '30d': _long, ...durations } = t.durations
  const items = useItems()
  const send = useSend(api.checkoutSessions.create)
  const total = totalOf(items.items, currency)
  const submit = (fields: FormData) => {
    setShowsIssues(true)
    const text = (name: string) => String(fields.get(name) ?? '').trim()
    const lineItems = lineItemsFor(items.items, currency, text('name'))
    if (!lineItems) return
    const body = {
      name: text('name'),
      duration: text('duration'),
      lineItems,
      description: text('description') || null,
      reference: text('reference') || null,
      successUrl: text('successUrl') || null,
      cancelUrl: text('cancelUrl') || null,
    }
    send.mutate([body], { onSuccess: ({ id }) => navigate(`/checkout-sessions/${id}`, { replace: true }) })
  }
  const issueOf = (param: string) => issueAt(send.error, param)
  return (
    <>
      <PageHead title={t.create} above={{ title: t.links, path: '/checkout-sessions' }} />
      <PageForm action={t.makeLink} isBusy={send.isPending} error={send.error} onSubmit={submit}>
        <TextField
          name="name"
          label={t.what}
          hint={t.shownToPayer}
          max={100}
          isRequired
          issue={issueOf('name')}
        />
        <CurrencyField label={t.currency} initial={currency} onChange={setCurrency} />
        <ItemFields {...items} currency={currency} showsIssues={showsIssues} error={send.error} />
        <p class="total">
          {t.total} <output>{total === undefined ? '–' : <Money of={{ currency, value: total }} />}</output>
        </p>
        <ChoiceField name="duration" label={t.expiresAfter} choices={durations} initial="1d" />
        <details>
          <summary>{t.more}</summary>
          <TextField name="description" label={t.description} max={1000} issue={issueOf('description')} />
          <TextField name="reference" label={t.reference} max={255} issue={issueOf('reference')} />
          {(['successUrl', 'cancelUrl'] as const).map((name) => (
            <TextField
              name={name}
              label={t[name]}
              hint={t.urlHint}
              type="url"
              max={2000}
              issue={issueOf(name)}
              key={name}
            />
          ))}
        </details>
      </PageForm>
    </>
  )
}
