import { useLocation } from 'wouter-preact'
import { locally, PageForm, TextField } from '../../parts/form.tsx'
import type { FormReader } from '../../parts/form-reader.ts'
import { MenuPageHead } from '../../parts/page.tsx'
import { useTexts } from './texts.ts'

/** The page to look up a receipt. There is no list of receipts, because staff at the gate enter an order number. */
export default function Receipts() {
  const t = useTexts()
  const [, navigate] = useLocation()
  const read = (form: FormReader) => {
    const number = form.text('orderNumber').replace(/\s/g, '')
    if (!/^\d{12}$/.test(number)) form.refuse('orderNumber', t.notANumber)
    return number
  }
  const send = locally((number: string) => navigate(`/receipts/${number}`))
  return (
    <>
      <MenuPageHead page="/receipts" />
      <p class="intro">{t.intro}</p>
      <PageForm action={t.find} send={send} read={read}>
        <TextField
          name="orderNumber"
          label={t.orderNumber}
          hint={t.findHint}
          inputMode="numeric"
          max={24}
          isRequired
        />
      </PageForm>
    </>
  )
}
