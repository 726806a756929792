import { useState } from 'preact/hooks'
import { api, type ResultOf } from '../../../api/client.ts'
import { issueAt } from '../../../api/errors.ts'
import { useRead, useSend } from '../../../api/queries.ts'
import { usePermissions } from '../../../api/scope.tsx'
import { Field, FormDialog } from '../../../parts/form.tsx'
import { ErrorNotice, Loading } from '../../../parts/notices.tsx'
import { ReasonField, reasonOf } from '../../../parts/reason.tsx'
import { Section } from '../../../parts/section.tsx'
import { type Column, Table } from '../../../parts/table.tsx'
import { Money, Time, useMoney } from '../../../text/format.tsx'
import { useTexts } from '../../../text/languages.tsx'
import type { Place } from './items.tsx'
import { texts } from './texts.ts'

type Day = ResultOf<typeof api.installation.closedDays.retrieve>['days'][number]

export function Days({ place }: { place: Place }) {
  const t = useTexts(texts)
  const may = usePermissions()
  const [shownDialog, showDialog] = useState<'close' | Day>()
  const close = () => showDialog(undefined)
  const { data, error } = useRead(api.installation.closedDays.retrieve, [place])
  const mayWrite = may('installation:write')
  const more = mayWrite && (
    <button type="button" onClick={() => showDialog('close')}>
      {t.closeDay}
    </button>
  )
  return (
    <Section title={t.days} more={more}>
      <ErrorNotice error={error} />
      {!data && !error && <Loading />}
      {data?.days.length === 0 && <p class="empty">{t.noDays}</p>}
      {data && data.days.length > 0 && (
        <DayTable days={data.days} onReopen={mayWrite ? showDialog : undefined} />
      )}
      {shownDialog === 'close' && <CloseDayDialog place={place} onClose={close} />}
      {typeof shownDialog === 'object' && <ReopenDialog day={shownDialog} onClose={close} />}
    </Section>
  )
}

type Side = Day['stated']
const Sums = ({ of }: { of: Side }) => (
  <>
    <Money of={of.in} />, <Money of={of.out} />
  </>
)

function DayTable({ days, onReopen }: { days: Day[]; onReopen: ((day: Day) => void) | undefined }) {
  const t = useTexts(texts)
  const actions: Column<Day>[] = onReopen
    ? [
        {
          label: t.actions,
          cell: (day) =>
            day.reopening ? (
              t.reopened(day.reopening.by)
            ) : (
              <button type="button" class="quiet" onClick={() => onReopen(day)}>
                {t.reopen} <span class="unseen">{day.day}</span>
              </button>
            ),
        },
      ]
    : []
  return (
    <Table
      label={t.days}
      rows={days}
      keyOf={({ day, currency, closeTime }) => `${day} ${currency} ${closeTime}`}
      columns={[
        { label: t.day, cell: ({ day, currency }) => `${day}, ${currency}` },
        { label: t.stated, cell: ({ stated }) => <Sums of={stated} />, isNumber: true, isExtra: true },
        { label: t.booked, cell: ({ booked }) => <Sums of={booked} />, isNumber: true },
        { label: t.differences, cell: (day) => <Differences of={day} />, isExtra: true },
        {
          label: t.signed,
          cell: ({ by, reason, closeTime }) => (
            <>
              {by}, <Time at={closeTime} /> · {reason}
            </>
          ),
          isExtra: true,
        },
        ...actions,
      ]}
    />
  )
}

function Differences({ of: { differences } }: { of: Day }) {
  const t = useTexts(texts)
  const money = useMoney()
  if (differences.length === 0) return <>{t.none}</>
  const describe = ({ side, cause, direction, lines, amount }: Day['differences'][number]) =>
    t.difference(
      t.sides[side],
      `${lines} × ${t.causes[cause] ?? cause}`,
      `${money(amount)} ${t.directions[direction]}`,
    )
  return <>{differences.map(describe).join('; ')}</>
}

function CloseDayDialog({ place, onClose }: { place: Place; onClose(): void }) {
  const t = useTexts(texts)
  const match = useSend(api.installation.reconciliation.match)
  const send = useSend(api.installation.closedDays.create)
  const error = match.error ?? send.error
  const submit = (fields: FormData) => {
    const body = { ...place, day: String(fields.get('day')), ...reasonOf(fields) }
    // Lines that were booked recently must be matched before the day can be closed.
    const matchFrom = (after: string | null) =>
      match.mutate([{ ...place, after }], {
        onSuccess: (step) =>
          step.isDone ? send.mutate([body], { onSuccess: onClose }) : matchFrom(step.after),
      })
    matchFrom(null)
  }
  return (
    <FormDialog
      title={t.closeDay}
      action={t.closeDay}
      isBusy={match.isPending || send.isPending}
      error={error}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>{t.closeDayText}</p>
      <Field label={t.day} hint={t.dayHint} issue={issueAt(error, 'day')}>
        {(controls) => <input {...controls} name="day" type="date" required />}
      </Field>
      <ReasonField issue={issueAt(error, 'reason')} />
    </FormDialog>
  )
}

function ReopenDialog({ day: { day, providerId, environment }, onClose }: { day: Day; onClose(): void }) {
  const t = useTexts(texts)
  const send = useSend(api.installation.closedDays.reopen)
  return (
    <FormDialog
      title={t.reopenTitle(day)}
      action={t.reopen}
      isDangerous
      isBusy={send.isPending}
      error={send.error}
      onSubmit={(fields) =>
        send.mutate([{ providerId, environment, day, ...reasonOf(fields) }], { onSuccess: onClose })
      }
      onClose={onClose}
    >
      <p>{t.reopenText}</p>
      <ReasonField issue={issueAt(send.error, 'reason')} />
    </FormDialog>
  )
}
