import { api } from '../../api/client.ts'
import { useRead } from '../../api/queries.ts'
import { useCurrentSpace, usePermissions } from '../../api/scope.tsx'
import { ErrorPage } from '../../parts/dead-end.tsx'
import { Loading } from '../../parts/notices.tsx'
import { MenuPageHead, Section } from '../../parts/page.tsx'
import { Table } from '../../parts/table.tsx'
import './settings.css'
import { SettingsForm } from './settings-form.tsx'
import { useTexts } from './texts.ts'
import type { SpaceSettings } from './values.ts'

/** The page with the Space's settings in this environment. They are read-only for users who may not change them. */
export default function Settings() {
  const t = useTexts()
  const { scope } = useCurrentSpace()
  const mayChange = usePermissions()('settings:write')
  const { data, error } = useRead(api.settings.retrieve, [])
  if (!data) return error ? <ErrorPage error={error} /> : <Loading />
  return (
    <>
      <MenuPageHead page="/settings" />
      <p class="intro">{scope.environment === 'test' ? t.ofTest : t.ofLive}</p>
      <SettingsForm settings={data} isFixed={!mayChange} />
      <Fees settings={data} />
    </>
  )
}

function Fees({ settings: { fees } }: { settings: SpaceSettings }) {
  const t = useTexts()
  return (
    <Section title={t.whatItCosts}>
      <p class="hint">{t.whatItCostsHint}</p>
      <Table
        rows={fees}
        keyOf={({ code }) => code}
        columns={[
          { label: t.what, cell: ({ code }) => t.codes[code] },
          {
            label: t.rule,
            isNumber: true,
            cell: ({ rule, isStandard }) => (isStandard ? `${rule} (${t.standard})` : rule),
          },
        ]}
      />
    </Section>
  )
}
