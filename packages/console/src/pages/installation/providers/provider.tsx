import { useParams } from 'wouter-preact'
import { api } from '../../../api/client.ts'
import { useRead } from '../../../api/queries.ts'
import { usePermissions } from '../../../api/scope.tsx'
import { ErrorPage } from '../../../parts/dead-end.tsx'
import { DialogButton } from '../../../parts/dialog.tsx'
import { Loading } from '../../../parts/notices.tsx'
import { Facts, PageHead, Section } from '../../../parts/page.tsx'
import { Table } from '../../../parts/table.tsx'
import { Money, Time } from '../../../text/format.tsx'
import { PauseButton, ResumeDialog, TestDialog } from './dialogs.tsx'
import { refreshMs } from './providers.tsx'
import { type Connection, ConnectionStatus, Success } from './states.tsx'
import { useTexts } from './texts.ts'

/** The page of a connection, with a section for each environment and provider. */
export default function ProviderPage() {
  const t = useTexts()
  const { connection = '' } = useParams()
  const { data, error } = useRead(api.installation.providers.retrieve, [], { everyMs: refreshMs })
  if (error) return <ErrorPage error={error} />
  if (!data) return <Loading />
  const here = data.connections.filter((one) => one.connection === connection)
  return (
    <>
      <PageHead title={connection} above="/installation/providers" />
      {here.length === 0 && <p class="empty">{t.notHere}</p>}
      {here.map((one) => (
        <Shown of={one} key={`${one.environment} ${one.providerId}`} />
      ))}
    </>
  )
}

function Shown({ of: one }: { of: Connection }) {
  const t = useTexts()
  const may = usePermissions()
  const about = titleOf(one)
  const actions = may('installation:write') && (
    <span class="actions">
      <PauseButton of={one} title={about} />
      {one.pauses.length > 0 && (
        <DialogButton label={t.resume} about={about}>
          {(onClose) => <ResumeDialog of={one} title={about} onClose={onClose} />}
        </DialogButton>
      )}
      <DialogButton label={t.test} about={about}>
        {(onClose) => <TestDialog of={one} title={about} onClose={onClose} />}
      </DialogButton>
    </span>
  )
  return (
    <Section title={titleOf(one)} more={actions}>
      <Facts
        of={[
          [t.status, <ConnectionStatus of={one} />],
          [t.restsUntil, one.restsUntil && <Time at={one.restsUntil} />],
          [t.protocol, one.protocol],
          [t.share, one.share === null ? t.rest : t.percent(one.share)],
          [t.credentials, one.credentialsTime && <Time at={one.credentialsTime} />],
        ]}
      />
      <Directions of={one} />
      <Pauses of={one} />
      <Float of={one} />
    </Section>
  )
}

const titleOf = ({ name, environment }: Connection) => `${name} (${environment})`

function Directions({ of: one }: { of: Connection }) {
  const t = useTexts()
  const directions = [
    { name: t.payments, state: one.collect },
    { name: t.payOut, state: one.payOut },
  ]
  const inMs = (ms: number | null) => (ms === null ? '–' : t.ms(ms))
  return (
    <Table
      label={titleOf(one)}
      rows={directions}
      keyOf={({ name }) => name}
      columns={[
        { label: t.direction, cell: ({ name }) => name },
        { label: t.successHour, cell: ({ state }) => <Success of={state.lastHour} /> },
        { label: t.successDay, cell: ({ state }) => <Success of={state.lastDay} />, isExtra: true },
        { label: t.p50, cell: ({ state }) => inMs(state.p50Ms), isNumber: true, isExtra: true },
        { label: t.p95, cell: ({ state }) => inMs(state.p95Ms), isNumber: true, isExtra: true },
        { label: t.lastReport, cell: ({ state }) => <Time at={state.lastReportTime} />, isExtra: true },
      ]}
    />
  )
}

function Pauses({ of: one }: { of: Connection }) {
  const t = useTexts()
  if (one.pauses.length === 0) return <p class="muted">{t.noPauses}</p>
  return (
    <Table
      label={`${t.pauses} · ${titleOf(one)}`}
      rows={one.pauses}
      keyOf={({ direction, providerId }) => `${direction} ${providerId}`}
      columns={[
        { label: t.direction, cell: ({ direction }) => t.directions[direction] },
        { label: t.words, cell: ({ words }) => words },
        { label: t.by, cell: ({ by }) => by, isExtra: true },
        { label: t.since, cell: ({ createTime }) => <Time at={createTime} />, isExtra: true },
        { label: t.ends, cell: ({ endTime }) => (endTime ? <Time at={endTime} /> : t.whenResumed) },
      ]}
    />
  )
}

function Float({ of: one }: { of: Connection }) {
  const t = useTexts()
  if (one.float.length === 0) return null
  return (
    <Table
      label={`${t.float} · ${titleOf(one)}`}
      rows={one.float}
      keyOf={({ side, account, amount }) => `${side} ${account} ${amount.currency}`}
      columns={[
        { label: t.float, cell: ({ side }) => t.sides[side] },
        { label: t.account, cell: ({ account }) => account, isExtra: true },
        { label: t.amount, cell: ({ amount }) => <Money of={amount} />, isNumber: true },
        { label: t.read, cell: ({ readTime }) => <Time at={readTime} />, isExtra: true },
      ]}
    />
  )
}
