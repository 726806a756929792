import { useMutation, useQueryClient } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { api, type ResultOf } from '../../api/client.ts'
import { addPasskey, hasPasskeys } from '../../api/passkeys.ts'
import { useRead, useSend } from '../../api/queries.ts'
import { ConfirmButton } from '../../parts/confirm.tsx'
import { FormDialog, TextField } from '../../parts/form.tsx'
import { ErrorNotice, Loading } from '../../parts/notices.tsx'
import { Section } from '../../parts/section.tsx'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../text/format.tsx'
import { useTexts } from '../../text/languages.tsx'
import { texts } from './texts.ts'

type Passkey = ResultOf<typeof api.passkeys.retrieve>['passkeys'][number]

export function Passkeys() {
  const t = useTexts(texts)
  const { data, error } = useRead(api.passkeys.retrieve, [])
  const [isAdding, setAdding] = useState(false)
  const more = hasPasskeys() && (
    <button type="button" onClick={() => setAdding(true)}>
      {t.add}
    </button>
  )
  return (
    <Section title={t.passkeys} more={more}>
      <p class="field">{hasPasskeys() ? t.passkeysText : t.unsupported(localAddress())}</p>
      <ErrorNotice error={error} />
      {!data && <Loading />}
      {data?.passkeys.length === 0 && <p class="empty">{t.noPasskeys}</p>}
      {data && data.passkeys.length > 0 && <List passkeys={data.passkeys} />}
      {isAdding && <AddDialog onClose={() => setAdding(false)} />}
    </Section>
  )
}

const localAddress = () => `http://localhost${location.port && `:${location.port}`}`

function List({ passkeys }: { passkeys: Passkey[] }) {
  const t = useTexts(texts)
  return (
    <Table
      label={t.passkeys}
      rows={passkeys}
      keyOf={({ id }) => id}
      columns={[
        { label: t.name, cell: ({ name, isSynced }) => (isSynced ? `${name} (${t.synced})` : name) },
        { label: t.added, cell: ({ createTime }) => <Time at={createTime} />, isExtra: true },
        {
          label: t.lastUsed,
          cell: ({ lastUseTime }) => (lastUseTime ? <Time at={lastUseTime} /> : t.never),
        },
        { label: t.actions, cell: (passkey) => <Actions passkey={passkey} /> },
      ]}
    />
  )
}

function Actions({ passkey: { id, name } }: { passkey: Passkey }) {
  const t = useTexts(texts)
  const [isRenaming, setRenaming] = useState(false)
  const rename = useSend(api.passkeys.rename)
  const close = () => setRenaming(false)
  return (
    <>
      <button type="button" class="quiet" onClick={() => setRenaming(true)}>
        {t.rename}
      </button>
      <ConfirmButton
        call={api.passkeys.remove}
        args={[{ id }]}
        action={t.remove}
        title={t.removeTitle}
        warning={t.removeText}
      />
      {isRenaming && (
        <FormDialog
          title={t.rename}
          action={t.rename}
          isBusy={rename.isPending}
          error={rename.error}
          onSubmit={(fields) => rename.mutate([{ id, name: nameIn(fields) }], { onSuccess: close })}
          onClose={close}
        >
          <TextField label={t.name} name="name" max={100} isRequired initial={name} />
        </FormDialog>
      )}
    </>
  )
}

function AddDialog({ onClose }: { onClose(): void }) {
  const t = useTexts(texts)
  const client = useQueryClient()
  const add = useMutation<void, Error, string>({
    mutationFn: addPasskey,
    onSuccess: async () => {
      onClose()
      await client.invalidateQueries({
        predicate: ({ queryKey }) => queryKey.includes(api.passkeys.retrieve),
      })
    },
  })
  return (
    <FormDialog
      title={t.add}
      action={t.add}
      isBusy={add.isPending}
      error={add.error}
      onSubmit={(fields) => add.mutate(nameIn(fields))}
      onClose={onClose}
    >
      <p>{t.addText}</p>
      <TextField label={t.name} hint={t.nameHint} name="name" max={100} isRequired />
    </FormDialog>
  )
}

const nameIn = (fields: FormData) => String(fields.get('name')).trim()
