import { api, type ResultOf } from '../../api/client.ts'
import { useRead } from '../../api/queries.ts'
import { usePermissions } from '../../api/scope.tsx'
import { ConfirmButton } from '../../parts/confirm.tsx'
import { ErrorNotice, Loading } from '../../parts/notices.tsx'
import { Facts, Section } from '../../parts/page.tsx'
import { Status } from '../../parts/status.tsx'
import { Table } from '../../parts/table.tsx'
import { Day } from './day.tsx'
import { useTexts } from './texts.ts'

type ErasureResult = ResultOf<typeof api.personalDataErasures.retrieve>

/** An erasure: what it erases, what must be kept, why and until when. It is read again while it runs. */
export function Erasure({ id }: { id: string }) {
  const t = useTexts()
  const may = usePermissions()
  const { data, error } = useRead(api.personalDataErasures.retrieve, [id], {
    isMoving: ({ status }) => status === 'processing',
  })
  if (!data) return error ? <ErrorNotice error={error} /> : <Loading />
  const isPending = data.status === 'pending'
  return (
    <Section
      title={t.erasureOf(data.person)}
      more={
        isPending &&
        may('personal-data:write') && (
          <>
            <ConfirmButton
              call={api.personalDataErasures.confirm}
              args={[id]}
              action={t.erase}
              title={t.eraseTitle(data.person)}
              warning={t.eraseText}
            />
            <ConfirmButton
              call={api.personalDataErasures.delete}
              args={[id]}
              action={t.cancelErasure}
              isDangerous={false}
              class="quiet"
            />
          </>
        )
      }
    >
      <Facts
        of={[
          [t.status, <ErasureStatus of={data} />],
          [t.reason, data.reason],
          [t.requestedBy, data.createdBy],
          [t.confirmedBy, data.confirmedBy],
          [t.nextTime, data.nextTime && <Day at={data.nextTime} />],
        ]}
      />
      <Counts title={isPending ? t.erasable : t.erased} of={isPending ? data.erasable : data.erased} />
      <Kept of={data.kept} />
      <Copies of={data.copies} />
    </Section>
  )
}

export function ErasureStatus({ of: { status } }: { of: Pick<ErasureResult, 'status'> }) {
  const t = useTexts()
  return <Status of={status === 'waiting' ? 'open' : status} words={t.statuses[status]} />
}

function Counts({ title, of }: { title: string; of: ErasureResult['erased'] }) {
  const t = useTexts()
  return (
    <>
      <h3>{title}</h3>
      {of.length === 0 ? (
        <p class="empty">{t.none}</p>
      ) : (
        <Table
          label={title}
          rows={of}
          keyOf={({ type }) => type}
          columns={[
            { label: t.type, cell: ({ type }) => t.types[type] ?? type },
            { label: t.count, isNumber: true, cell: ({ count }) => count },
          ]}
        />
      )}
    </>
  )
}

function Kept({ of }: { of: ErasureResult['kept'] }) {
  const t = useTexts()
  if (of.length === 0) return null
  return (
    <>
      <h3>{t.kept}</h3>
      <Table
        label={t.kept}
        rows={of}
        keyOf={({ type, reason }) => `${type} ${reason}`}
        columns={[
          { label: t.type, cell: ({ type }) => t.types[type] ?? type },
          { label: t.count, isNumber: true, cell: ({ count }) => count },
          { label: t.because, cell: ({ reason }) => t.reasons[reason] },
          { label: t.until, cell: ({ until }) => (until ? <Day at={until} /> : t.unknown) },
        ]}
      />
    </>
  )
}

function Copies({ of }: { of: ErasureResult['copies'] }) {
  const t = useTexts()
  return (
    <>
      <h3>{t.copies}</h3>
      <Table
        label={t.copies}
        rows={of}
        keyOf={({ place }) => place}
        columns={[
          { label: t.place, cell: ({ place }) => t.places[place] },
          { label: t.until, cell: ({ until }) => (until ? <Day at={until} /> : t.byOperator) },
        ]}
      />
    </>
  )
}
