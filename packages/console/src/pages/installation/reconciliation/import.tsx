import { api, type InputOf } from '../../../api/client.ts'
import { ConfirmButton } from '../../../parts/confirm.tsx'
import { Field } from '../../../parts/field.tsx'
import { ChoiceField, TextField } from '../../../parts/form.tsx'
import type { FormReader } from '../../../parts/form-reader.ts'
import { useTexts } from './texts.ts'

type Statement = InputOf<typeof api.installation.statements.create>

/** Maximum length of a statement. The API refuses longer ones. */
const maxCharacters = 3_000_000

export function ImportButton({ providers }: { providers: Record<string, string> }) {
  const t = useTexts()
  const read = async (form: FormReader) => {
    const statement = await readStatement(form, t.unread)
    return statement && ([statement] as const)
  }
  return (
    <ConfirmButton
      call={api.installation.statements.create}
      args={read}
      action={t.import}
      isDangerous={false}
      class=""
    >
      <p>{t.importText}</p>
      <ChoiceField label={t.provider} name="providerId" choices={providers} isRequired />
      <ChoiceField label={t.environment} name="environment" choices={{ live: 'live', test: 'test' }} />
      <ChoiceField label={t.mapping} name="mapping" choices={t.mappings} />
      <Field name="file" at="csv" label={t.file} hint={t.fileHint}>
        {(controls) => <input {...controls} type="file" accept=".csv,text/csv,text/plain" />}
      </Field>
      <TextField name="from" label={t.from} hint={t.coverHint} type="datetime-local" />
      <TextField name="until" label={t.until} type="datetime-local" />
    </ConfirmButton>
  )
}

/** Reads the statement from the form. `unread` is the message if no file was chosen. */
async function readStatement(form: FormReader, unread: string): Promise<Statement | undefined> {
  const file = form.raw('file')
  if (!(file instanceof File) || file.size === 0) {
    form.refuse('file', unread)
    return undefined
  }
  const [from, until] = [form.time('from'), form.time('until')]
  return {
    providerId: form.text('providerId'),
    environment: form.choice<Statement['environment']>('environment'),
    mapping: form.choice<Statement['mapping']>('mapping'),
    fileName: file.name.slice(0, 200),
    // Truncates a long file to one character more than the limit, so that the API still refuses it.
    csv: (await file.slice(0, maxCharacters * 4).text()).slice(0, maxCharacters + 1),
    ...(from && { from }),
    ...(until && { until }),
  }
}
