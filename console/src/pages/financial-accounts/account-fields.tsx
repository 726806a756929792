import type { api, ResultOf } from '../../api/client.ts'
import { issueAt } from '../../api/errors.ts'
import { TextField } from '../../parts/form.tsx'
import { useTexts } from '../../text/languages.tsx'
import { texts } from './texts.ts'

type Names = Pick<ResultOf<typeof api.financialAccounts.retrieve>, 'name' | 'reference' | 'description'>

/** Form fields for the name, reference and description of an account. */
export function AccountFields({ account, error }: { account?: Names; error: Error | null }) {
  const t = useTexts(texts)
  const fieldOf = (name: keyof Names) => ({
    name,
    initial: account?.[name] ?? '',
    issue: issueAt(error, name),
  })
  return (
    <>
      <TextField {...fieldOf('name')} label={t.name} hint={t.nameHint} max={100} isRequired />
      <TextField {...fieldOf('reference')} label={t.reference} max={64} />
      <TextField {...fieldOf('description')} label={t.description} max={150} />
    </>
  )
}

/** Reads the name, reference and description from the form. */
export function namesIn(fields: FormData): Names {
  const text = (name: keyof Names) => String(fields.get(name)).trim()
  return {
    name: text('name'),
    reference: text('reference') || null,
    description: text('description') || null,
  }
}
