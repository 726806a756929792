import { useMutation, useQueryClient } from '@tanstack/preact-query'
import { api, type ResultOf } from '../../api/client.ts'
import { addPasskey, hasPasskeys } from '../../api/passkeys.ts'
import { rowsOf, useRead } from '../../api/queries.ts'
import { ConfirmButton } from '../../parts/confirm.tsx'
import { DialogButton } from '../../parts/dialog.tsx'
import { FormDialog, TextField } from '../../parts/form.tsx'
import { Section } from '../../parts/page.tsx'
import { PagedTable } from '../../parts/table.tsx'
import { Time } from '../../text/format.tsx'
import { useTexts } from './texts.ts'

type Passkey = ResultOf<typeof api.passkeys.retrieve>['passkeys'][number]

export function Passkeys() {
  const t = useTexts()
  const read = useRead(api.passkeys.retrieve, [])
  const more = hasPasskeys() && (
    <DialogButton label={t.add}>{(close) => <AddDialog onClose={close} />}</DialogButton>
  )
  return (
    <Section title={t.passkeys} more={more}>
      <p class="field">{hasPasskeys() ? t.passkeysText : t.unsupported(localAddress())}</p>
      <PagedTable
        read={rowsOf(read, ({ passkeys }) => passkeys)}
        empty={t.noPasskeys}
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
    </Section>
  )
}

const localAddress = () => `http://localhost${location.port && `:${location.port}`}`

function Actions({ passkey: { id, name } }: { passkey: Passkey }) {
  const t = useTexts()
  return (
    <>
      <ConfirmButton
        call={api.passkeys.rename}
        args={(form) => [{ id, name: form.text('name') }]}
        action={t.rename}
        isDangerous={false}
        class="quiet"
      >
        <TextField label={t.name} name="name" max={100} isRequired initial={name} />
      </ConfirmButton>
      <ConfirmButton
        call={api.passkeys.remove}
        args={[{ id }]}
        action={t.remove}
        title={t.removeTitle}
        warning={t.removeText}
      />
    </>
  )
}

function AddDialog({ onClose }: { onClose(): void }) {
  const t = useTexts()
  const client = useQueryClient()
  const add = useMutation<void, Error, string>({
    mutationFn: addPasskey,
    onSuccess: () =>
      client.invalidateQueries({ predicate: ({ queryKey }) => queryKey.includes(api.passkeys.retrieve) }),
  })
  return (
    <FormDialog title={t.add} action={t.add} send={add} read={(form) => form.text('name')} onClose={onClose}>
      <p>{t.addText}</p>
      <TextField label={t.name} hint={t.nameHint} name="name" max={100} isRequired />
    </FormDialog>
  )
}
