import type { api, ResultOf } from '../../api/client.ts'
import { TextField } from '../../parts/form.tsx'
import type { FormReader } from '../../parts/form-reader.ts'
import { useTexts } from './texts.ts'

type Names = Pick<ResultOf<typeof api.financialAccounts.retrieve>, 'name' | 'reference' | 'description'>

/** Form fields for the name, reference and description of an account. */
export function AccountFields({ account }: { account?: Names }) {
  const t = useTexts()
  const fieldOf = (name: keyof Names) => ({ name, initial: account?.[name] ?? '' })
  return (
    <>
      <TextField {...fieldOf('name')} label={t.name} hint={t.nameHint} max={100} isRequired />
      <TextField {...fieldOf('reference')} label={t.reference} max={64} />
      <TextField {...fieldOf('description')} label={t.description} max={150} />
    </>
  )
}

/** Reads the name, reference and description from the form. */
export const namesIn = (form: FormReader): Names => ({
  name: form.text('name'),
  reference: form.textOrNull('reference'),
  description: form.textOrNull('description'),
})
