import { useSearchParams } from 'wouter-preact'
import { api } from '../../api/client.ts'
import { useRead } from '../../api/queries.ts'
import { useCurrentSpace, usePermissions } from '../../api/scope.tsx'
import { DialogButton } from '../../parts/dialog.tsx'
import { Field, optionsOf } from '../../parts/field.tsx'
import { ImportButton } from '../installation/reconciliation/import.tsx'
import { useProviders } from '../installation/reconciliation/providers.ts'
import { MonthPage } from './month-page.tsx'
import { SignDialog } from './sign-dialog.tsx'
import { useTexts } from './texts.ts'

/** Interval between reads, because statements are matched in the background. */
const refreshMs = 10_000

/** The page that shows operators the open steps, in all Spaces, before a month can be closed. */
export default function InstallationClose() {
  const t = useTexts()
  const may = usePermissions()
  const { scope } = useCurrentSpace()
  const [search, setSearch] = useSearchParams()
  const [month, asked] = [search.get('month'), search.get('environment')]
  const environment = asked === 'test' || asked === 'live' ? asked : scope.environment
  const query = { environment, ...(month && { month }) }
  const read = useRead(api.installation.monthEnd.retrieve, [query], { everyMs: refreshMs })
  const providers = useProviders()
  const mayWrite = may('installation:write')
  const days = (read.data?.providers ?? []).flatMap(({ provider, matched }) =>
    matched.map((day) => ({ providerId: provider, environment, day })),
  )
  const reconciliation = (providerId = '') =>
    `/installation/reconciliation?${new URLSearchParams({ providerId, environment })}`
  return (
    <MonthPage
      page="/installation/close"
      read={read}
      dayPath={(day) => reconciliation(day.providers[0])}
      differencePath={({ provider }) => reconciliation(provider)}
      actions={{
        statements: mayWrite && <ImportButton providers={providers} />,
        sign: mayWrite && days.length > 0 && (
          <DialogButton label={t.sign.action(days.length)} class="main">
            {(close) => <SignDialog days={days} onClose={close} />}
          </DialogButton>
        ),
      }}
      hints={{ bank: t.bank.bySpaces, file: t.fileStep.perSpace }}
    >
      <Field label={t.environment}>
        {(controls) => (
          <select
            {...controls}
            value={environment}
            onChange={({ currentTarget: { value } }) =>
              setSearch(new URLSearchParams({ ...(month && { month }), environment: value }))
            }
          >
            {optionsOf({ live: 'live', test: 'test' })}
          </select>
        )}
      </Field>
    </MonthPage>
  )
}
