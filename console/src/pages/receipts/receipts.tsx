import { useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import { PageForm, TextField } from '../../parts/form.tsx'
import { PageHead } from '../../parts/page.tsx'
import { useTexts } from '../../text/languages.tsx'
import { texts } from './texts.ts'

/** The page to look up a receipt. There is no list of receipts, because staff at the gate enter an order number. */
export default function Receipts() {
  const t = useTexts(texts)
  const [, navigate] = useLocation()
  const [isBad, setBad] = useState(false)
  const find = (fields: FormData) => {
    const number = String(fields.get('orderNumber')).replace(/\s/g, '')
    const isNumber = /^\d{12}$/.test(number)
    setBad(!isNumber)
    if (isNumber) navigate(`/receipts/${number}`)
  }
  return (
    <>
      <PageHead title={t.receipts} />
      <p class="intro">{t.intro}</p>
      <PageForm action={t.find} onSubmit={find}>
        <TextField
          name="orderNumber"
          label={t.orderNumber}
          hint={t.findHint}
          issue={isBad ? t.notANumber : undefined}
          inputMode="numeric"
          max={24}
          isRequired
        />
      </PageForm>
    </>
  )
}
