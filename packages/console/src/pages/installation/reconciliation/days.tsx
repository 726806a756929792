import { api, type ResultOf } from '../../../api/client.ts'
import { rowsOf, useRead, useSend } from '../../../api/queries.ts'
import { usePermissions } from '../../../api/scope.tsx'
import { ConfirmButton, ReasonField } from '../../../parts/confirm.tsx'
import { DialogButton } from '../../../parts/dialog.tsx'
import { FormDialog, TextField } from '../../../parts/form.tsx'
import { Section } from '../../../parts/page.tsx'
import { PagedTable } from '../../../parts/table.tsx'
import { Money, Time, useMoney } from '../../../text/format.tsx'
import type { Place } from './items.tsx'
import { useTexts } from './texts.ts'

type Day = ResultOf<typeof api.installation.closedDays.retrieve>['days'][number]

export function Days({ place }: { place: Place }) {
  const t = useTexts()
  const may = usePermissions()
  const read = useRead(api.installation.closedDays.retrieve, [place])
  const mayWrite = may('installation:write')
  const more = mayWrite && (
    <DialogButton label={t.closeDay} class="">
      {(close) => <CloseDayDialog place={place} onClose={close} />}
    </DialogButton>
  )
  return (
    <Section title={t.days} more={more}>
      <PagedTable
        read={rowsOf(read, ({ days }) => days)}
        empty={t.noDays}
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
          mayWrite && {
            label: t.actions,
            cell: (day) => (day.reopening ? t.reopened(day.reopening.by) : <ReopenButton day={day} />),
          },
        ]}
      />
    </Section>
  )
}

type Side = Day['stated']
const Sums = ({ of }: { of: Side }) => (
  <>
    <Money of={of.in} />, <Money of={of.out} />
  </>
)

function Differences({ of: { differences } }: { of: Day }) {
  const t = useTexts()
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

/**
 * Closes a day after matching. Lines that were booked recently must be matched before their day can be closed.
 * Nothing is closed if the user leaves the dialog while lines are being matched.
 */
function CloseDayDialog({ place, onClose }: { place: Place; onClose(): void }) {
  const t = useTexts()
  const match = useSend(api.installation.reconciliation.match)
  const close = useSend(api.installation.closedDays.create)
  const send: typeof close.mutate = (args, options) => {
    const matchFrom = (after: string | null) =>
      match.mutate([{ ...place, after }], {
        onSuccess: (step) => (step.isDone ? close.mutate(args, options) : matchFrom(step.after)),
      })
    matchFrom(null)
  }
  const isPending = match.isPending || close.isPending
  return (
    <FormDialog
      title={t.closeDay}
      action={t.closeDay}
      send={{ mutate: send, isPending, error: match.error ?? close.error }}
      read={(form) => [{ ...place, day: form.text('day'), ...form.reason() }] as const}
      onSent={onClose}
      onClose={onClose}
    >
      <p>{t.closeDayText}</p>
      <TextField label={t.day} hint={t.dayHint} name="day" type="date" isRequired />
      <ReasonField />
    </FormDialog>
  )
}

function ReopenButton({ day: { day, providerId, environment } }: { day: Day }) {
  const t = useTexts()
  return (
    <ConfirmButton
      call={api.installation.closedDays.reopen}
      args={(form) => [{ providerId, environment, day, ...form.reason() }]}
      action={t.reopen}
      about={day}
      title={t.reopenTitle(day)}
      class="quiet"
    >
      <p>{t.reopenText}</p>
      <ReasonField />
    </ConfirmButton>
  )
}
