import { useTexts } from '../text/languages.tsx'
import { inLanguages } from '../text/texts.ts'
import { TextField } from './form.tsx'

const texts = inLanguages(
  { reason: 'Reason', hint: 'Recorded in the audit log.' },
  { reason: 'Motif', hint: 'Enregistré dans le journal d’audit.' },
)

/** Maximum number of characters. The API refuses longer reasons. */
const maxReason = 500

/** A field for the reason for a decision. `FormReader.reason` reads it. */
export function ReasonField() {
  const t = useTexts(texts)
  return <TextField label={t.reason} hint={t.hint} name="reason" max={maxReason} isRequired />
}
