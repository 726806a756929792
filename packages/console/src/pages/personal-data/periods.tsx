import { api, type ResultOf } from '../../api/client.ts'
import { rowsOf, useRead } from '../../api/queries.ts'
import { usePermissions } from '../../api/scope.tsx'
import { ConfirmButton, ReasonField } from '../../parts/confirm.tsx'
import { TextField } from '../../parts/form.tsx'
import { Section } from '../../parts/page.tsx'
import { PagedTable } from '../../parts/table.tsx'
import { useTexts } from './texts.ts'

type Retention = ResultOf<typeof api.retentionPeriods.retrieve>
type Period = Retention['periods'][number] & Retention['bounds'][number]

/** How long personal data is kept, with a button to change each period. */
export function Periods() {
  const t = useTexts()
  const mayWrite = usePermissions()('personal-data:write')
  const read = useRead(api.retentionPeriods.retrieve, [])
  return (
    <Section title={t.periods}>
      <p class="hint">{t.periodsHint}</p>
      <PagedTable
        read={rowsOf(read, periodsOf)}
        keyOf={(period) => period.class}
        columns={[
          { label: t.data, cell: (period) => t.classes[period.class] },
          { label: t.keptFor, isNumber: true, cell: ({ days }) => t.days(days) },
          {
            label: t.permitted,
            isNumber: true,
            isExtra: true,
            cell: ({ minimumDays, maximumDays }) => t.range(minimumDays, maximumDays),
          },
          mayWrite && { label: t.actions, cell: (period) => <Change period={period} /> },
        ]}
      />
    </Section>
  )
}

const periodsOf = ({ periods, bounds }: Retention): Period[] =>
  periods.flatMap((period) => {
    const own = bounds.find((one) => one.class === period.class)
    return own ? [{ ...own, ...period }] : []
  })

function Change({ period }: { period: Period }) {
  const t = useTexts()
  return (
    <ConfirmButton
      call={api.retentionPeriods.update}
      args={(form) => [
        { periods: [{ class: period.class, days: form.countOrNull('days') }], ...form.reason() },
      ]}
      action={t.change}
      about={t.classes[period.class]}
      title={t.classes[period.class]}
      warning={t.changeText}
      isDangerous={false}
      class="quiet"
    >
      <TextField
        name="days"
        at="periods[0].days"
        label={t.daysLabel}
        hint={t.daysHint(period.standardDays)}
        inputMode="numeric"
        max={5}
        initial={String(period.days)}
      />
      <ReasonField />
    </ConfirmButton>
  )
}
