import { api, call } from '../../api/client.ts'
import { useRead } from '../../api/queries.ts'
import { useCurrentSpace, usePermissions } from '../../api/scope.tsx'
import { ConfirmButton, ReasonField } from '../../parts/confirm.tsx'
import { DownloadButton, ExportButton } from '../../parts/download.tsx'
import { ErrorNotice, Loading } from '../../parts/notices.tsx'
import { Section } from '../../parts/page.tsx'
import { Table } from '../../parts/table.tsx'
import { Day } from './day.tsx'
import type { Subject } from './find.tsx'
import { useTexts } from './texts.ts'

const xlsxType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

type Props = {
  id: string
  /** The person, if the user has just typed them. */
  subject: Subject | undefined
  onErasure(id: string): void
}

/** What is stored about a person, with the document to download and the next steps. */
export function Export({ id, subject, onErasure }: Props) {
  const t = useTexts()
  const { scope } = useCurrentSpace()
  const { data, error } = useRead(api.personalDataExports.retrieve, [id])
  if (!data) return error ? <ErrorNotice error={error} /> : <Loading />
  const name = `personal-data-${data.createTime.slice(0, 'yyyy-mm-dd'.length)}`
  const json = async () => {
    const { data: document } = await call(api.personalDataExports.document, [id], { scope })
    return new Blob([JSON.stringify(document, null, 2)], { type: 'application/json' })
  }
  const isOpen = new Date(data.expireTime) > new Date()
  return (
    <Section
      title={t.about(data.person)}
      more={
        isOpen && (
          <>
            <DownloadButton name={`${name}.json`} label={t.json} get={json} />
            <ExportButton
              of={api.personalDataExports.document}
              args={[id]}
              name={`${name}.xlsx`}
              label={t.excel}
              type={xlsxType}
            />
          </>
        )
      }
    >
      {data.found.length === 0 ? <p class="empty">{t.nothingFound}</p> : <Found of={data.found} />}
      <p class="muted">{isOpen ? t.download : t.expired}</p>
      {subject && <NextSteps subject={subject} onErasure={onErasure} />}
    </Section>
  )
}

type FoundObjects = Awaited<ReturnType<typeof useRead<typeof api.personalDataExports.retrieve>>>['data']

function Found({ of }: { of: NonNullable<FoundObjects>['found'] }) {
  const t = useTexts()
  return (
    <Table
      rows={of}
      keyOf={({ type }) => type}
      columns={[
        { label: t.type, cell: ({ type }) => t.types[type] ?? type },
        {
          label: t.count,
          isNumber: true,
          cell: ({ count, isMore }) => (isMore ? t.atLeast(count) : count),
        },
        { label: t.oldest, isExtra: true, cell: ({ oldest }) => oldest && <Day at={oldest} /> },
        { label: t.newest, isExtra: true, cell: ({ newest }) => newest && <Day at={newest} /> },
      ]}
    />
  )
}

function NextSteps({ subject, onErasure }: { subject: Subject; onErasure(id: string): void }) {
  const t = useTexts()
  const may = usePermissions()
  return (
    <div class="actions">
      <ConfirmButton
        call={api.personalDataErasures.create}
        args={(form) => [{ ...subject, ...form.reason() }]}
        action={t.previewErasure}
        warning={t.previewText}
        isDangerous={false}
        class="quiet"
        onSent={({ id }) => onErasure(id)}
      >
        <ReasonField />
      </ConfirmButton>
      {may('legal-holds:write') && (
        <ConfirmButton
          call={api.legalHolds.create}
          args={(form) => [{ person: subject.person, ...form.reason() }]}
          action={t.holdPerson}
          warning={t.holdText}
          isDangerous={false}
          class="quiet"
        >
          <ReasonField />
        </ConfirmButton>
      )}
    </div>
  )
}
