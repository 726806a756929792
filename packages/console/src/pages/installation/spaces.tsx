import { api, type ResultOf } from '../../api/client.ts'
import { usePermissions } from '../../api/scope.tsx'
import { ConfirmButton } from '../../parts/confirm.tsx'
import { TextField } from '../../parts/form.tsx'
import type { FormReader } from '../../parts/form-reader.ts'
import { ListPage } from '../../parts/list-page.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../text/format.tsx'
import { useTexts } from './texts.ts'

export type InstalledSpace = ResultOf<typeof api.installation.spaces.retrieve>

export default function Spaces() {
  const t = useTexts()
  const may = usePermissions()
  return (
    <ListPage
      page="/installation/spaces"
      of={api.installation.spaces.list}
      columns={[
        { label: t.name, cell: ({ name }) => name },
        { label: t.country, cell: ({ country }) => country, isExtra: true },
        { label: t.status, cell: ({ status }) => <SpaceStatus status={status} /> },
        { label: t.members, cell: ({ memberCount }) => memberCount, isNumber: true, isExtra: true },
        { label: t.openCases, cell: ({ openCaseCount }) => openCaseCount, isNumber: true, isExtra: true },
        { label: t.createTime, cell: ({ createTime }) => <Time at={createTime} /> },
      ]}
    >
      {may('installation:write') && <OpenSpaceButton />}
    </ListPage>
  )
}

export function SpaceStatus({ status }: { status: InstalledSpace['status'] }) {
  const t = useTexts()
  return <Status of={status === 'active' ? 'active' : 'disabled'} words={t.states[status]} />
}

function OpenSpaceButton() {
  const t = useTexts()
  const read = (form: FormReader) =>
    [
      {
        name: form.text('name'),
        country: form.text('country').toUpperCase(),
        ownerEmail: form.textOrNull('ownerEmail'),
      },
    ] as const
  return (
    <ConfirmButton call={api.installation.spaces.create} args={read} action={t.open} isDangerous={false}>
      <TextField name="name" label={t.name} hint={t.nameHint} max={100} isRequired />
      <TextField name="country" label={t.country} hint={t.countryHint} min={2} max={2} isRequired />
      <TextField name="ownerEmail" type="email" label={t.owner} hint={t.ownerHint} max={254} />
    </ConfirmButton>
  )
}
