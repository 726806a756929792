import { useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import { api, type InputOf } from '../../api/client.ts'
import { useSend } from '../../api/queries.ts'
import { useCurrency } from '../../parts/currency.tsx'
import { AmountField, ChoiceField, PageForm, TextField } from '../../parts/form.tsx'
import type { FormReader } from '../../parts/form-reader.ts'
import { PageHead } from '../../parts/page.tsx'
import { useTexts } from './texts.ts'

type NewLink = InputOf<typeof api.paymentLinks.create>

function linkIn(form: FormReader, currency: string): NewLink {
  const name = form.text('name')
  const question = form.text('question')
  const bound = (field: string) => form.amountOrNull(field, currency)?.value ?? null
  const fixed = () => {
    const maximum = form.countOrNull('quantity')
    return {
      lineItems: [{ name: name.slice(0, 100), price: form.amount('price', currency) }],
      quantity: maximum === null ? null : { maximum },
    }
  }
  return {
    name,
    description: form.textOrNull('description'),
    successText: form.textOrNull('successText'),
    maxPayments: form.countOrNull('maxPayments'),
    payerReference: question ? { label: question } : null,
    ...(form.text('kind') === 'open'
      ? { openAmount: { currency, minimum: bound('minimum'), maximum: bound('maximum') } }
      : fixed()),
  }
}

/** The page for creating a payment link. */
export default function NewPaymentLink() {
  const t = useTexts()
  const [, navigate] = useLocation()
  const [currency, currencyField] = useCurrency()
  const [kind, setKind] = useState('fixed')
  const send = useSend(api.paymentLinks.create)
  return (
    <>
      <PageHead title={t.create} above="/payment-links" />
      <PageForm
        action={t.makeLink}
        send={send}
        read={(form) => [linkIn(form, currency)]}
        onSent={({ id }) => navigate(`/payment-links/${id}`, { replace: true })}
      >
        <TextField name="name" label={t.what} hint={t.shownToPayer} max={150} isRequired />
        {currencyField}
        <ChoiceField name="kind" label={t.amount} choices={t.kinds} onChange={setKind} />
        {kind === 'fixed' ? (
          <>
            <AmountField name="price" at="lineItems[0].price.value" label={t.priceIn(currency)} isRequired />
            <TextField
              name="quantity"
              at="quantity.maximum"
              label={t.quantity}
              hint={t.quantityHint}
              max={4}
              inputMode="numeric"
            />
          </>
        ) : (
          (['minimum', 'maximum'] as const).map((name) => (
            <AmountField
              name={name}
              at={`openAmount.${name}`}
              label={name === 'minimum' ? t.atLeast(currency) : t.atMost(currency)}
              hint={t.noLimit}
              key={name}
            />
          ))
        )}
        <TextField
          name="question"
          at="payerReference.label"
          label={t.question}
          hint={t.questionHint}
          max={60}
        />
        <details>
          <summary>{t.more}</summary>
          <TextField name="maxPayments" label={t.maxPayments} hint={t.noLimit} max={7} inputMode="numeric" />
          <TextField name="description" label={t.description} max={1000} />
          <TextField name="successText" label={t.successText} max={500} />
        </details>
      </PageForm>
    </>
  )
}
