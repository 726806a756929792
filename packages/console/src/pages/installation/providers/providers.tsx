import { api } from '../../../api/client.ts'
import { useRead } from '../../../api/queries.ts'
import { type Filter, Filters, useFilters } from '../../../parts/filters.tsx'
import { ErrorNotice, Loading } from '../../../parts/notices.tsx'
import { MenuPageHead } from '../../../parts/page.tsx'
import { ProviderLogo } from '../../../parts/providers.tsx'
import { Table } from '../../../parts/table.tsx'
import { type Connection, ConnectionStatus, Success } from './states.tsx'
import { useTexts } from './texts.ts'

export const refreshMs = 10_000

/** The page that lists all connections and their success rates. */
export default function Providers() {
  const t = useTexts()
  const filters: Filter[] = [
    { name: 'environment', label: t.environment, choices: { live: 'live', test: 'test' } },
  ]
  const { environment } = useFilters(filters)
  const { data, error } = useRead(api.installation.providers.retrieve, [], { everyMs: refreshMs })
  const rows = data?.connections
    .filter((one) => environment === undefined || one.environment === environment)
    // Live first, then connections that are in use or paused.
    .sort(
      (a, b) =>
        a.environment.localeCompare(b.environment) ||
        Number(isQuiet(a)) - Number(isQuiet(b)) ||
        a.name.localeCompare(b.name),
    )
  return (
    <>
      <MenuPageHead page="/installation/providers" />
      <Filters filters={filters} />
      <ErrorNotice error={error} />
      {rows?.every((one) => one.environment === 'test') && environment !== 'test' && <ConnectFirst />}
      {rows && rows.length > 0 ? (
        <Table
          label={t.providers}
          rows={rows}
          keyOf={({ environment, connection, providerId }) => `${environment} ${connection} ${providerId}`}
          linkOf={({ connection }) => `/installation/providers/${connection}`}
          columns={[
            {
              label: t.provider,
              cell: ({ name, connection, providerId }) => (
                <>
                  <ProviderLogo id={providerId} />
                  {name}, {connection}
                </>
              ),
            },
            { label: t.environment, cell: ({ environment }) => environment },
            { label: t.status, cell: (row) => <ConnectionStatus of={row} /> },
            { label: t.payments, cell: ({ collect }) => <Success of={collect.lastHour} />, isExtra: true },
            { label: t.payOut, cell: ({ payOut }) => <Success of={payOut.lastHour} />, isExtra: true },
          ]}
        />
      ) : (
        !error && !rows && <Loading />
      )}
    </>
  )
}

/** Explains how to connect a provider for live payments, which cannot be done in the console. */
function ConnectFirst() {
  const t = useTexts()
  return (
    <div class="notice">
      <p>
        <strong>{t.noneIsLive}</strong> {t.howToConnect}
      </p>
      <ol class="steps">
        {t.connectSteps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <p>
        <a href="/docs/guides/providers#your-own-file">{t.connectGuide}</a>
      </p>
    </div>
  )
}

const isQuiet = ({ pauses, collect, payOut }: Connection) =>
  pauses.length === 0 && collect.lastDay.percent === null && payOut.lastDay.percent === null
