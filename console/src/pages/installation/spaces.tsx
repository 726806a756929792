import { useState } from 'preact/hooks'
import { api, type ResultOf } from '../../api/client.ts'
import { issueAt } from '../../api/errors.ts'
import { useRows, useSend } from '../../api/queries.ts'
import { usePermissions } from '../../api/scope.tsx'
import { Field, FormDialog } from '../../parts/form.tsx'
import { PageHead } from '../../parts/page.tsx'
import { Status } from '../../parts/status.tsx'
import { PagedTable } from '../../parts/table.tsx'
import { Time } from '../../text/format.tsx'
import { useTexts } from '../../text/languages.tsx'
import { texts } from './texts.ts'

export type InstalledSpace = ResultOf<typeof api.installation.spaces.retrieve>

export default function Spaces() {
  const t = useTexts(texts)
  const may = usePermissions()
  const [isOpening, setOpening] = useState(false)
  const read = useRows(api.installation.spaces.list, [{ limit: 25 }])
  return (
    <>
      <PageHead title={t.spaces}>
        {may('installation:write') && (
          <button type="button" class="main" onClick={() => setOpening(true)}>
            {t.open}
          </button>
        )}
      </PageHead>
      <PagedTable
        label={t.spaces}
        read={read}
        keyOf={({ id }) => id}
        linkOf={({ id }) => `/installation/spaces/${id}`}
        columns={[
          { label: t.name, cell: ({ name }) => name },
          { label: t.country, cell: ({ country }) => country, isExtra: true },
          { label: t.status, cell: ({ status }) => <SpaceStatus status={status} /> },
          { label: t.members, cell: ({ memberCount }) => memberCount, isNumber: true, isExtra: true },
          { label: t.openCases, cell: ({ openCaseCount }) => openCaseCount, isNumber: true, isExtra: true },
          { label: t.createTime, cell: ({ createTime }) => <Time at={createTime} /> },
        ]}
      />
      {isOpening && <OpenSpaceDialog onClose={() => setOpening(false)} />}
    </>
  )
}

export function SpaceStatus({ status }: { status: InstalledSpace['status'] }) {
  const t = useTexts(texts)
  return <Status of={status === 'active' ? 'active' : 'disabled'} words={t.states[status]} />
}

function OpenSpaceDialog({ onClose }: { onClose(): void }) {
  const t = useTexts(texts)
  const send = useSend(api.installation.spaces.create)
  const submit = (fields: FormData) => {
    const text = (name: string) => String(fields.get(name)).trim()
    const body = {
      name: text('name'),
      country: text('country').toUpperCase(),
      ownerEmail: text('owner') || null,
    }
    send.mutate([body], { onSuccess: onClose })
  }
  return (
    <FormDialog
      title={t.open}
      action={t.open}
      isBusy={send.isPending}
      error={send.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label={t.name} hint={t.nameHint} issue={issueAt(send.error, 'name')}>
        {(controls) => <input {...controls} name="name" required maxLength={100} />}
      </Field>
      <Field label={t.country} hint={t.countryHint} issue={issueAt(send.error, 'country')}>
        {(controls) => <input {...controls} name="country" required minLength={2} maxLength={2} />}
      </Field>
      <Field label={t.owner} hint={t.ownerHint} issue={issueAt(send.error, 'ownerEmail')}>
        {(controls) => <input {...controls} name="owner" type="email" maxLength={254} />}
      </Field>
    </FormDialog>
  )
}
