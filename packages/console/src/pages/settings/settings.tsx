import { api } from '../../api/client.ts'
import { useRead } from '../../api/queries.ts'
import { useCurrentSpace, usePermissions } from '../../api/scope.tsx'
import { ErrorPage } from '../../parts/dead-end.tsx'
import { ChoiceField } from '../../parts/form.tsx'
import type { FormReader } from '../../parts/form-reader.ts'
import { Loading } from '../../parts/notices.tsx'
import { MenuPageHead, Section } from '../../parts/page.tsx'
import { Table } from '../../parts/table.tsx'
import { ApprovalsForm } from './approvals-form.tsx'
import { BrandForm } from './brand-form.tsx'
import { SettingsForm, type SettingsFormProps, type SpaceSettings, useChange } from './settings-form.tsx'
import './settings.css'
import { useTexts } from './texts.ts'

/** The page with the Space's settings in this environment. They are read-only for users who may not change them. */
export default function Settings() {
  const t = useTexts()
  const { scope } = useCurrentSpace()
  const mayChange = usePermissions()('settings:write')
  const { data, error } = useRead(api.settings.retrieve, [])
  if (error) return <ErrorPage error={error} />
  if (!data) return <Loading />
  const form = { settings: data, isFixed: !mayChange }
  return (
    <>
      <MenuPageHead page="/settings" />
      <p class="intro">{scope.environment === 'test' ? t.ofTest : t.ofLive}</p>
      <Section title={t.brand}>
        <BrandForm {...form} />
      </Section>
      <Section title={t.approvals}>
        <ApprovalsForm {...form} />
      </Section>
      <Section title={t.refunds}>
        <RefundsForm {...form} />
      </Section>
      <Section title={t.receipts}>
        <ReceiptsForm {...form} />
      </Section>
      <Fees settings={data} />
    </>
  )
}

function RefundsForm({ settings, isFixed }: SettingsFormProps) {
  const t = useTexts()
  const send = useChange()
  const read = (form: FormReader) => ({
    refundsWhenShort: form.choice<SpaceSettings['refundsWhenShort']>('short'),
    returnsPaymentFee: form.text('fee') === 'yes',
  })
  return (
    <SettingsForm isFixed={isFixed} send={send} read={read}>
      <ChoiceField name="short" label={t.whenShort} choices={t.short} initial={settings.refundsWhenShort} />
      <ChoiceField
        name="fee"
        label={t.fee}
        choices={t.fees}
        initial={settings.returnsPaymentFee ? 'yes' : 'no'}
      />
    </SettingsForm>
  )
}

function ReceiptsForm({ settings, isFixed }: SettingsFormProps) {
  const t = useTexts()
  const send = useChange()
  const read = (form: FormReader) => ({ receiptsBySms: form.text('sms') === 'yes' })
  return (
    <SettingsForm isFixed={isFixed} send={send} read={read}>
      <ChoiceField
        name="sms"
        label={t.receiptsBySms}
        choices={t.sms}
        initial={settings.receiptsBySms ? 'yes' : 'no'}
      />
    </SettingsForm>
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
