import { api, type ResultOf } from '../../api/client.ts'
import { useRead } from '../../api/queries.ts'
import { ErrorNotice, Loading } from '../../parts/notices.tsx'
import { Facts, MenuPageHead } from '../../parts/page.tsx'
import { Status } from '../../parts/status.tsx'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../text/format.tsx'
import { useLanguage } from '../../text/languages.tsx'
import { useTexts } from './texts.ts'

type Health = ResultOf<typeof api.installation.health.retrieve>
const refreshMs = 10_000

/** The page where operators check the health of the installation. */
export default function HealthPage() {
  const { data: health, error } = useRead(api.installation.health.retrieve, [], { everyMs: refreshMs })
  return (
    <>
      <MenuPageHead page="/installation/health" />
      <ErrorNotice error={error} />
      {health ? <Shown health={health} /> : !error && <Loading />}
    </>
  )
}

function Shown({ health }: { health: Health }) {
  return (
    <>
      <Proof proof={health.lastProof} />
      <Nodes nodes={health.nodes} />
      <Queues health={health} />
      <Unknown outcomes={health.unknownOutcomes} />
      <Database health={health} />
    </>
  )
}

function Proof({ proof }: { proof: Health['lastProof'] }) {
  const t = useTexts()
  if (!proof) return <p class="notice">{t.noProof}</p>
  const wrong = proof.checks.filter(({ differences }) => differences > 0)
  return (
    <section>
      <h2>{t.proof}</h2>
      <p class={proof.isOk ? 'notice good' : 'notice bad'}>
        {proof.isOk ? t.proofOk : t.proofBad} <Time at={proof.endTime} />
      </p>
      {wrong.length > 0 && (
        <Table
          label={t.proof}
          rows={wrong}
          keyOf={({ name }) => name}
          columns={[
            { label: t.check, cell: ({ name }) => name },
            { label: t.examined, cell: ({ examined }) => examined, isExtra: true },
            { label: t.differences, cell: ({ differences }) => differences, isNumber: true },
          ]}
        />
      )}
    </section>
  )
}

const toneOf = { alive: 'active', stopped: 'closed', lost: 'failed' }

function Nodes({ nodes }: { nodes: Health['nodes'] }) {
  const t = useTexts()
  const rolesOf = ({ serves, works }: Health['nodes'][number]) =>
    [serves && t.serves, works && t.works].filter(Boolean).join(', ')
  return (
    <section>
      <h2>{t.nodes}</h2>
      <Table
        label={t.nodes}
        rows={nodes}
        keyOf={({ id }) => String(id)}
        columns={[
          { label: t.node, cell: ({ id }) => id },
          {
            label: t.status,
            cell: ({ status }) => <Status of={toneOf[status]} words={t.nodeStates[status]} />,
          },
          { label: t.roles, cell: rolesOf, isExtra: true },
          { label: t.version, cell: ({ version }) => version, isExtra: true },
          { label: t.started, cell: ({ startTime }) => <Time at={startTime} /> },
        ]}
      />
    </section>
  )
}

type Counted = { count: number; estimated: boolean }

function useCount(): (counted: Counted) => string {
  const t = useTexts()
  const { language } = useLanguage()
  return ({ count, estimated }) => (estimated ? t.atLeast(count) : count.toLocaleString(language))
}

function Queues({ health: { queues, webhooks } }: { health: Health }) {
  const t = useTexts()
  const countOf = useCount()
  const { estimated } = webhooks
  return (
    <section>
      <h2>{t.queues}</h2>
      <Facts
        of={[
          [t.jobs, countOf(queues.jobs)],
          [t.oldestJob, queues.jobs.oldestDueTime && <Time at={queues.jobs.oldestDueTime} />],
          [t.events, countOf(queues.events)],
          [t.deliveries, countOf(queues.deliveries)],
          [t.failingWebhooks, countOf({ count: webhooks.failing, estimated })],
          [t.disabledWebhooks, countOf({ count: webhooks.disabled, estimated })],
        ]}
      />
      {queues.lanes.length > 0 && (
        <>
          <h3>{t.lanes}</h3>
          <Table
            label={t.lanes}
            rows={queues.lanes}
            keyOf={({ environment, kind, providerId }) => `${environment} ${kind} ${providerId}`}
            columns={[
              { label: t.provider, cell: ({ providerId }) => providerId },
              { label: t.environment, cell: ({ environment }) => environment },
              { label: t.type, cell: ({ kind }) => kind, isExtra: true },
              { label: t.count, cell: (row) => countOf(row), isNumber: true },
            ]}
          />
        </>
      )}
    </section>
  )
}

function Unknown({ outcomes }: { outcomes: Health['unknownOutcomes'] }) {
  const t = useTexts()
  const countOf = useCount()
  return (
    <section>
      <h2>{t.unknown}</h2>
      {outcomes.length === 0 ? (
        <p class="muted">{t.none}</p>
      ) : (
        <Table
          label={t.unknown}
          rows={outcomes}
          keyOf={({ environment, type, providerId }) => `${environment} ${type} ${providerId}`}
          columns={[
            { label: t.provider, cell: ({ providerId }) => providerId },
            { label: t.environment, cell: ({ environment }) => environment },
            { label: t.type, cell: ({ type }) => type, isExtra: true },
            { label: t.count, cell: (row) => countOf(row), isNumber: true },
            { label: t.oldest, cell: ({ oldestSubmitTime }) => <Time at={oldestSubmitTime} /> },
          ]}
        />
      )}
    </section>
  )
}

const bytesPerMb = 1_000_000

function Database({ health: { database, clock } }: { health: Health }) {
  const t = useTexts()
  const { language } = useLanguage()
  const replicas = database.replicas.map(({ name, lagSeconds }) => `${name} (${t.lag(lagSeconds)})`)
  return (
    <section>
      <h2>{t.database}</h2>
      <Facts
        of={[
          ['PostgreSQL', database.version],
          [t.schema, database.schemaVersion],
          [t.size, `${Math.ceil(database.sizeBytes / bytesPerMb).toLocaleString(language)} MB`],
          [t.connections, `${database.connections} / ${database.maxConnections}`],
          [t.standby, replicas.length > 0 ? replicas.join(', ') : t.noReplica],
          [t.clock, `${clock.differenceMs} ± ${clock.uncertaintyMs} ms`],
        ]}
      />
    </section>
  )
}
