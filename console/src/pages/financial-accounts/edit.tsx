import { useState } from 'preact/hooks'
import type { ResultOf } from '../../api/client.ts'
import { useSend } from '../../api/queries.ts'
import { useMay } from '../../api/scope.tsx'
import { FormDialog, TextField } from '../../parts/form.tsx'
import { useTexts } from '../../text/languages.tsx'
import { words } from '../../text/words.ts'
import { texts } from './texts.ts'

type Account = ResultOf<'GET /v1/financial-accounts/{id}'>

/** What an account is called, for whom may change that. */
export function EditAccount({ account }: { account: Account }) {
  const t = useTexts(texts)
  const isAllowed = useMay()('financial-accounts:write')
  const [isEditing, setEditing] = useState(false)
  if (!isAllowed) return null
  return (
    <>
      <button type="button" onClick={() => setEditing(true)}>
        {t.edit}
      </button>
      {isEditing && <EditDialog account={account} onClose={() => setEditing(false)} />}
    </>
  )
}

function EditDialog({ account, onClose }: { account: Account; onClose(): void }) {
  const t = useTexts(texts)
  const w = useTexts(words)
  const send = useSend('PATCH /v1/financial-accounts/{id}')
  const submit = (fields: FormData) => {
    const text = (name: string) => String(fields.get(name)).trim()
    const body = {
      name: text('name'),
      reference: text('reference') || null,
      description: text('description') || null,
    }
    send.mutate({ path: { id: account.id }, body }, { onSuccess: onClose })
  }
  const faultOf = (param: string) => send.error?.faultOf(param)
  return (
    <FormDialog
      title={t.editTitle}
      action={t.save}
      isBusy={send.isPending}
      error={send.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        name="name"
        label={w.name}
        hint={t.nameHint}
        max={100}
        isRequired
        initial={account.name}
        fault={faultOf('name')}
      />
      <TextField
        name="reference"
        label={w.reference}
        max={64}
        initial={account.reference ?? ''}
        fault={faultOf('reference')}
      />
      <TextField
        name="description"
        label={t.description}
        max={255}
        initial={account.description ?? ''}
        fault={faultOf('description')}
      />
    </FormDialog>
  )
}
