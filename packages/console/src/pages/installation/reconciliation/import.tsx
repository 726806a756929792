import { useState } from 'preact/hooks'
import { api, type InputOf } from '../../../api/client.ts'
import { issueAt } from '../../../api/errors.ts'
import { useSend } from '../../../api/queries.ts'
import { ChoiceField, Field, FormDialog } from '../../../parts/form.tsx'
import { useTexts } from '../../../text/languages.tsx'
import { texts } from './texts.ts'

type Statement = InputOf<typeof api.installation.statements.create>

/** Maximum length of a statement. The API refuses longer ones. */
const maxCharacters = 3_000_000

export function ImportDialog({ providers, onClose }: { providers: Record<string, string>; onClose(): void }) {
  const t = useTexts(texts)
  const send = useSend(api.installation.statements.create)
  const [isMissing, setMissing] = useState(false)
  const submit = async (fields: FormData) => {
    const body = await statementIn(fields, Object.keys(t.mappings))
    setMissing(body === undefined)
    if (body) send.mutate([body], { onSuccess: onClose })
  }
  const issue = isMissing ? t.unread : issueAt(send.error, 'csv')
  return (
    <FormDialog
      title={t.import}
      action={t.import}
      isBusy={send.isPending}
      error={send.error}
      onSubmit={(fields) => void submit(fields)}
      onClose={onClose}
    >
      <p>{t.importText}</p>
      <ChoiceField label={t.provider} name="providerId" choices={providers} isRequired />
      <ChoiceField label={t.environment} name="environment" choices={{ live: 'live', test: 'test' }} />
      <ChoiceField label={t.mapping} name="mapping" choices={t.mappings} />
      <Field label={t.file} hint={t.fileHint} issue={issue}>
        {(controls) => <input {...controls} name="file" type="file" accept=".csv,text/csv,text/plain" />}
      </Field>
      <Field label={t.from} hint={t.coverHint} issue={issueAt(send.error, 'from')}>
        {(controls) => <input {...controls} name="from" type="datetime-local" />}
      </Field>
      <Field label={t.until} issue={issueAt(send.error, 'until')}>
        {(controls) => <input {...controls} name="until" type="datetime-local" />}
      </Field>
    </FormDialog>
  )
}

/** Reads the statement from the form. Returns `undefined` if no file was chosen. */
async function statementIn(fields: FormData, mappings: string[]): Promise<Statement | undefined> {
  const file = fields.get('file')
  if (!(file instanceof File) || file.size === 0) return undefined
  const text = (name: string) => String(fields.get(name))
  const moment = (name: string) => text(name) && new Date(text(name)).toISOString()
  const [from, until] = [moment('from'), moment('until')]
  const isMapping = (name: string): name is Statement['mapping'] => mappings.includes(name)
  const mapping = text('mapping')
  return {
    providerId: text('providerId'),
    environment: text('environment') === 'test' ? 'test' : 'live',
    mapping: isMapping(mapping) ? mapping : 'simulator',
    fileName: file.name.slice(0, 200),
    // Truncates a long file to one character more than the limit, so that the API still refuses it.
    csv: (await file.slice(0, maxCharacters * 4).text()).slice(0, maxCharacters + 1),
    ...(from && { from }),
    ...(until && { until }),
  }
}
