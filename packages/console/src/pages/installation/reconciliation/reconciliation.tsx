import { api, type Environment } from '../../../api/client.ts'
import { useRows } from '../../../api/queries.ts'
import { usePermissions } from '../../../api/scope.tsx'
import { type Filter, Filters, useFilters } from '../../../parts/filters.tsx'
import { MenuPageHead, Section } from '../../../parts/page.tsx'
import { PagedTable } from '../../../parts/table.tsx'
import { Time } from '../../../text/format.tsx'
import { Days } from './days.tsx'
import { ImportButton } from './import.tsx'
import { OpenItems } from './items.tsx'
import { useProviders } from './providers.ts'
import { useTexts } from './texts.ts'

/** The page where operators compare provider statements with the ledger. */
export default function Reconciliation() {
  const t = useTexts()
  const providers = useProviders()
  const filters: Filter[] = [
    { name: 'providerId', label: t.provider, choices: providers },
    { name: 'environment', label: t.environment, choices: { live: 'live', test: 'test' } },
  ]
  const { providerId, environment } = useFilters(filters)
  const place = providerId && { providerId, environment: environmentOf(environment) }
  return (
    <>
      <MenuPageHead page="/installation/reconciliation" />
      <p class="intro">{t.intro}</p>
      <Filters filters={filters} />
      {place ? (
        <>
          <OpenItems place={place} />
          <Days place={place} />
        </>
      ) : (
        <p class="empty">{t.choose}</p>
      )}
      <Statements providers={providers} />
    </>
  )
}

const environmentOf = (text: string | undefined): Environment => (text === 'test' ? 'test' : 'live')

function Statements({ providers }: { providers: Record<string, string> }) {
  const t = useTexts()
  const may = usePermissions()
  const read = useRows(api.installation.statements.list, [{ limit: 25 }])
  const more = may('installation:write') && <ImportButton providers={providers} />
  return (
    <Section title={t.statements} more={more}>
      <PagedTable
        read={read}
        empty={t.noStatements}
        columns={[
          { label: t.file, cell: ({ fileName }) => fileName },
          { label: t.provider, cell: ({ providerId }) => providers[providerId] ?? providerId },
          { label: t.environment, cell: ({ environment }) => environment, isExtra: true },
          {
            label: t.covers,
            cell: ({ from, until }) => (
              <>
                <Time at={from} /> – <Time at={until} />
              </>
            ),
            isExtra: true,
          },
          { label: t.lines, cell: ({ lines }) => lines, isNumber: true, isExtra: true },
          { label: t.newLines, cell: ({ newLines }) => newLines, isNumber: true },
          { label: t.imported, cell: ({ createTime }) => <Time at={createTime} /> },
        ]}
      />
    </Section>
  )
}
