import { useSearchParams } from 'wouter-preact'
import { api } from '../../api/client.ts'
import { useRead } from '../../api/queries.ts'
import { useCurrentSpace, usePermissions } from '../../api/scope.tsx'
import { ExportButton } from '../../parts/download.tsx'
import { MoreLink } from '../../parts/links.tsx'
import { useProviderChoices } from '../../parts/providers.tsx'
import { ImportButton } from '../installation/reconciliation/import.tsx'
import { MonthPage } from './month-page.tsx'
import { useTexts } from './texts.ts'

/** Interval between reads for users who import statements, because these are matched in the background. */
const refreshMs = 10_000

/** The page that shows what is left to do before a month of the Space can be closed. */
export default function Close() {
  const t = useTexts()
  const may = usePermissions()
  const { scope } = useCurrentSpace()
  const [search] = useSearchParams()
  const month = search.get('month')
  const providers = useProviderChoices()
  const isOperator = may('installation:write')
  const read = useRead(
    api.monthEnd.retrieve,
    [month ? { month } : {}],
    isOperator ? { everyMs: refreshMs } : {},
  )
  const shown = read.data?.month ?? ''
  const reconciliation = (more: Record<string, string>) =>
    `/reconciliation?${new URLSearchParams({ month: shown, ...more })}`
  return (
    <MonthPage
      page="/close"
      read={read}
      dayPath={({ date }) => reconciliation({ date })}
      differencePath={({ date, provider, direction }) => reconciliation({ date, provider, direction })}
      actions={{
        statements: isOperator ? (
          <ImportButton providers={providers} />
        ) : (
          <p class="muted">{t.statements.byOperator}</p>
        ),
        bank: <MoreLink to="/settlements">{may('settlements:write') ? t.bank.record : t.bank.view}</MoreLink>,
        file: shown && (
          <ExportButton
            name={`month-${shown}.zip`}
            label={t.fileStep.download}
            of={api.monthEnd.retrieve}
            args={[{ month: shown }]}
            type="application/zip"
          />
        ),
        sign: may('installation:read') ? (
          <MoreLink
            to={`/installation/close?${new URLSearchParams({ month: shown, environment: scope.environment })}`}
          >
            {t.sign.open}
          </MoreLink>
        ) : (
          <p class="muted">{t.sign.byOperator}</p>
        ),
      }}
      fileHint={t.fileStep.contents}
    />
  )
}
