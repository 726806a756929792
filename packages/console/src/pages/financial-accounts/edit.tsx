import { useState } from 'preact/hooks'
import { api, type ResultOf } from '../../api/client.ts'
import { useSend } from '../../api/queries.ts'
import { usePermissions } from '../../api/scope.tsx'
import { FormDialog } from '../../parts/form.tsx'
import { useTexts } from '../../text/languages.tsx'
import { AccountFields, namesIn } from './account-fields.tsx'
import { texts } from './texts.ts'

type Account = ResultOf<typeof api.financialAccounts.retrieve>

/** A button that opens a dialog to edit the account. It is shown only to users who may edit accounts. */
export function EditAccount({ account }: { account: Account }) {
  const t = useTexts(texts)
  const isAllowed = usePermissions()('financial-accounts:write')
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
  const send = useSend(api.financialAccounts.update)
  return (
    <FormDialog
      title={t.editTitle}
      action={t.save}
      isBusy={send.isPending}
      error={send.error}
      onSubmit={(fields) => send.mutate([account.id, namesIn(fields)], { onSuccess: onClose })}
      onClose={onClose}
    >
      <AccountFields account={account} error={send.error} />
    </FormDialog>
  )
}
