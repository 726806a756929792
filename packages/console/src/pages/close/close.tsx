import type { ComponentChildren } from 'preact'
import { Link, useSearchParams } from 'wouter-preact'
import { api } from '../../api/client.ts'
import { useRead } from '../../api/queries.ts'
import { useCurrentSpace, usePermissions } from '../../api/scope.tsx'
import { ExportButton } from '../../parts/download.tsx'
import { useCanOpen } from '../../parts/links.tsx'
import { useProviderChoices } from '../../parts/providers.tsx'
import { ImportButton } from '../installation/reconciliation/import.tsx'
import { MonthPage } from './month-page.tsx'
import { useTexts } from './texts.ts'

/** Interval between reads for users who import statements, because these are matched in the background. */
const refreshMs = 10_000

/** The page that shows the open steps before a month of the Space can be closed. */
export default function Close() {
  const t = useTexts()
  const may = usePermissions()
  const { scope } = useCurrentSpace()
  const [search] = useSearchParams()
  const month = search.get('month')
  const providers = useProviderChoices()
  const mayImport = may('installation:write')
  const read = useRead(
    api.monthEnd.retrieve,
    [month ? { month } : {}],
    mayImport ? { everyMs: refreshMs } : {},
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
        statements: mayImport && <ImportButton providers={providers} />,
        bank: (
          <ButtonLink to="/settlements">{may('settlements:write') ? t.bank.record : t.bank.view}</ButtonLink>
        ),
        file: shown && (
          <ExportButton
            name={`month-${shown}.zip`}
            label={t.fileStep.download}
            of={api.monthEnd.retrieve}
            args={[{ month: shown }]}
            type="application/zip"
          />
        ),
        sign: (
          <ButtonLink
            to={`/installation/close?${new URLSearchParams({ month: shown, environment: scope.environment })}`}
          >
            {t.sign.open}
          </ButtonLink>
        ),
      }}
      hints={{
        ...(!mayImport && { statements: t.statements.byOperator }),
        bank: may('settlements:write') ? t.bank.how : t.bank.byFinance,
        file: t.fileStep.contents,
        ...(!may('installation:read') && { sign: t.sign.byOperator }),
      }}
    />
  )
}

/** A link that looks like a button, which is shown only if the user can open it. */
const ButtonLink = ({ to, children }: { to: string; children: ComponentChildren }) =>
  useCanOpen()(to) ? (
    <Link class="button" href={to}>
      {children}
    </Link>
  ) : null
