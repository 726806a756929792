import { useRef, useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import { api } from '../../api/client.ts'
import { useSend } from '../../api/queries.ts'
import { DownloadButton } from '../../parts/download.tsx'
import { Field } from '../../parts/field.tsx'
import { PageForm, TextField } from '../../parts/form.tsx'
import { PageHead } from '../../parts/page.tsx'
import { type CheckedBatch, CheckResult } from './check-result.tsx'
import { useTexts } from './texts.ts'

/** Maximum length of the CSV text. The API refuses longer texts. */
const maxCharacters = 240_000

const example = `amount,currency,type,provider,account,name,reference
1500.00,SLE,momo,m17,+23276123456,Fatu Kamara,11/2026
250.00,SLE,bank,slb001,0011223344,Kargbo & Sons,invoice 7
`

/**
 * The page for creating a batch from a file. The batch can only be created after all rows have passed the
 * check.
 */
export default function NewBatch() {
  const t = useTexts()
  const [, navigate] = useLocation()
  const [checked, setChecked] = useState<{ csv: string; result: CheckedBatch }>()
  const check = useSend(api.payoutBatches.check)
  const rows = useRef<HTMLTextAreaElement>(null)
  const isValid = checked?.result.ok === true

  const take = async (file: File | undefined) => {
    if (!file || !rows.current) return
    // Truncates a long file to one character more than the limit, so that the API still refuses it.
    rows.current.value = (await file.slice(0, maxCharacters * 4).text()).slice(0, maxCharacters + 1)
    setChecked(undefined)
  }
  const create = useSend(api.payoutBatches.create)
  // The form is checked first, and again after every change.
  const checkOrCreate = ({ name, csv }: { name: string; csv: string }) =>
    isValid && checked.csv === csv
      ? create.mutate([{ name, csv }], {
          onSuccess: ({ id }) => navigate(`/payout-batches/${id}`, { replace: true }),
        })
      : check.mutate([{ csv }], { onSuccess: (result) => setChecked({ csv, result }) })
  const send = {
    mutate: checkOrCreate,
    isPending: check.isPending || create.isPending,
    error: check.error ?? create.error,
  }
  return (
    <>
      <PageHead title={t.create} above="/payout-batches">
        <DownloadButton name="payouts-example.csv" label={t.example} get={async () => new Blob([example])} />
      </PageHead>
      <PageForm
        action={isValid ? t.make : t.check}
        send={send}
        read={(form) => ({ name: form.text('name'), csv: String(form.raw('csv')) })}
      >
        <TextField name="name" label={t.name} hint={t.nameHint} max={100} isRequired />
        <Field label={t.file} hint={t.fileHint}>
          {(controls) => (
            <input
              {...controls}
              type="file"
              accept=".csv,text/csv,text/plain"
              onChange={(event) => void take(event.currentTarget.files?.[0])}
            />
          )}
        </Field>
        <Field label={t.csv} hint={t.csvHint}>
          {(controls) => (
            <textarea
              {...controls}
              ref={rows}
              name="csv"
              rows={8}
              required
              spellcheck={false}
              // Discards the check result, because it does not apply to the edited rows.
              onInput={() => setChecked(undefined)}
            />
          )}
        </Field>
        {checked && <CheckResult of={checked.result} />}
      </PageForm>
    </>
  )
}
