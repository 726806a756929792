import { api, type ResultOf } from '../../api/client.ts'
import { useRows } from '../../api/queries.ts'
import { usePermissions } from '../../api/scope.tsx'
import { ConfirmButton, ReasonField } from '../../parts/confirm.tsx'
import { Section } from '../../parts/page.tsx'
import { Status } from '../../parts/status.tsx'
import { PagedTable } from '../../parts/table.tsx'
import { Time } from '../../text/format.tsx'
import { useTexts } from './texts.ts'

const pageSize = 10

/** Legal holds, with buttons to place one on everybody's data and to lift them. */
export function Holds() {
  const t = useTexts()
  const mayWrite = usePermissions()('legal-holds:write')
  const read = useRows(api.legalHolds.list, [{ limit: pageSize }])
  return (
    <Section
      title={t.holds}
      more={
        mayWrite && (
          <ConfirmButton
            call={api.legalHolds.create}
            args={(form) => [form.reason()]}
            action={t.holdEverybody}
            warning={t.holdEverybodyText}
            isDangerous={false}
            class="quiet"
          >
            <ReasonField />
          </ConfirmButton>
        )
      }
    >
      <PagedTable
        read={read}
        empty={t.noHolds}
        columns={[
          { label: t.person, cell: ({ person }) => person ?? t.everybody },
          { label: t.status, cell: ({ status }) => <Status of={status} words={t.holdStatuses[status]} /> },
          { label: t.reason, isExtra: true, cell: ({ reason }) => reason },
          { label: t.createTime, cell: ({ createTime }) => <Time at={createTime} /> },
          mayWrite && { label: t.actions, cell: (hold) => <Lift hold={hold} /> },
        ]}
      />
    </Section>
  )
}

function Lift({ hold: { id, status, person } }: { hold: ResultOf<typeof api.legalHolds.list>[number] }) {
  const t = useTexts()
  if (status !== 'open') return null
  return (
    <ConfirmButton
      call={api.legalHolds.lift}
      args={(form) => [id, form.reason()]}
      action={t.lift}
      about={person ?? t.everybody}
      warning={t.liftText}
      class="quiet"
    >
      <ReasonField />
    </ConfirmButton>
  )
}
