import { Field } from '../../parts/form.tsx'
import { useTexts } from '../../text/languages.tsx'
import { texts } from './texts.ts'

export const reasonOf = (fields: FormData) => ({ reason: String(fields.get('reason')).trim() })

export function ReasonField({ fault }: { fault: string | undefined }) {
  const t = useTexts(texts)
  return (
    <Field label={t.reason} hint={t.reasonHint} fault={fault}>
      {(controls) => <input {...controls} name="reason" required maxLength={500} />}
    </Field>
  )
}
