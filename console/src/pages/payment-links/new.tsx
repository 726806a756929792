import { useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import { api, type InputOf } from '../../api/client.ts'
import { issueAt } from '../../api/errors.ts'
import { useSend } from '../../api/queries.ts'
import { CurrencyField, useCurrencies } from '../../parts/currency.tsx'
import { ChoiceField, PageForm, TextField } from '../../parts/form.tsx'
import { PageHead } from '../../parts/page.tsx'
import { parseMoney } from '../../text/format.tsx'
import { useTexts } from '../../text/languages.tsx'
import { texts } from './texts.ts'

type NewLink = InputOf<typeof api.paymentLinks.create>

/** Reads the form. Invalid amounts and counts become `NaN`. */
function readFields(fields: FormData, currency: string) {
  const text = (name: string) => String(fields.get(name) ?? '').trim()
  const amount = (name: string) => (text(name) ? (parseMoney(text(name), currency) ?? Number.NaN) : null)
  const count = (name: string) =>
    text(name) === '' ? null : /^[1-9]\d{0,6}$/.test(text(name)) ? Number(text(name)) : Number.NaN
  return {
    name: text('name'),
    description: text('description') || null,
    successText: text('successText') || null,
    question: text('question'),
    isOpen: text('kind') === 'open',
    price: amount('price'),
    minimum: amount('minimum'),
    maximum: amount('maximum'),
    quantity: count('quantity'),
    maxPayments: count('maxPayments'),
  }
}
type Fields = ReturnType<typeof readFields>

/** Returns for each field whether its value is invalid. */
const issuesByField = ({ isOpen, price, minimum, maximum, quantity, maxPayments }: Fields) => ({
  price: !isOpen && (price === null || Number.isNaN(price)),
  minimum: Number.isNaN(minimum),
  maximum: Number.isNaN(maximum),
  quantity: Number.isNaN(quantity),
  maxPayments: Number.isNaN(maxPayments),
})

function bodyOf(fields: Fields, currency: string): NewLink {
  const { name, description, successText, question, isOpen, price, minimum, maximum, quantity } = fields
  return {
    name,
    description,
    successText,
    maxPayments: fields.maxPayments,
    payerReference: question ? { label: question } : null,
    ...(isOpen
      ? { openAmount: { currency, minimum, maximum } }
      : {
          lineItems: [{ name: name.slice(0, 100), price: { currency, value: price ?? 0 } }],
          quantity: quantity === null ? null : { maximum: quantity },
        }),
  }
}

/** The page for creating a payment link. */
export default function NewPaymentLink() {
  const t = useTexts(texts)
  const [, navigate] = useLocation()
  const [firstCurrency = 'USD'] = useCurrencies()
  const [currency, setCurrency] = useState(firstCurrency)
  const [kind, setKind] = useState('fixed')
  const [issues, setIssues] = useState<Partial<ReturnType<typeof issuesByField>>>({})
  const send = useSend(api.paymentLinks.create)
  const submit = (form: FormData) => {
    const fields = readFields(form, currency)
    const found = issuesByField(fields)
    setIssues(found)
    if (Object.values(found).some(Boolean)) return
    send.mutate([bodyOf(fields, currency)], {
      onSuccess: ({ id }) => navigate(`/payment-links/${id}`, { replace: true }),
    })
  }
  const issueOf = (param: string) => issueAt(send.error, param)
  return (
    <>
      <PageHead title={t.create} above={{ title: t.links, path: '/payment-links' }} />
      <PageForm action={t.makeLink} isBusy={send.isPending} error={send.error} onSubmit={submit}>
        <TextField
          name="name"
          label={t.what}
          hint={t.shownToPayer}
          max={150}
          isRequired
          issue={issueOf('name')}
        />
        <CurrencyField label={t.currency} initial={currency} onChange={setCurrency} />
        <ChoiceField name="kind" label={t.amount} choices={t.kinds} onChange={setKind} />
        {kind === 'fixed' ? (
          <>
            <TextField
              name="price"
              label={t.priceIn(currency)}
              max={24}
              inputMode="decimal"
              isRequired
              issue={issues.price ? t.notAnAmount : issueOf('lineItems[0].price.value')}
            />
            <TextField
              name="quantity"
              label={t.quantity}
              hint={t.quantityHint}
              max={4}
              inputMode="numeric"
              issue={issues.quantity ? t.notACount : issueOf('quantity.maximum')}
            />
          </>
        ) : (
          (['minimum', 'maximum'] as const).map((name) => (
            <TextField
              name={name}
              label={name === 'minimum' ? t.atLeast(currency) : t.atMost(currency)}
              hint={t.noLimit}
              max={24}
              inputMode="decimal"
              issue={issues[name] ? t.notAnAmount : issueOf(`openAmount.${name}`)}
              key={name}
            />
          ))
        )}
        <TextField
          name="question"
          label={t.question}
          hint={t.questionHint}
          max={60}
          issue={issueOf('payerReference.label')}
        />
        <details>
          <summary>{t.more}</summary>
          <TextField
            name="maxPayments"
            label={t.maxPayments}
            hint={t.noLimit}
            max={7}
            inputMode="numeric"
            issue={issues.maxPayments ? t.notACount : issueOf('maxPayments')}
          />
          <TextField name="description" label={t.description} max={1000} issue={issueOf('description')} />
          <TextField name="successText" label={t.successText} max={500} issue={issueOf('successText')} />
        </details>
      </PageForm>
    </>
  )
}
