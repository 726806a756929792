import * as datePicker from '@zag-js/date-picker'
import { normalizeProps, useMachine } from '@zag-js/preact'
import { ChevronLeft, ChevronRight } from 'lucide-preact'
import { useId } from 'preact/hooks'
import { useLocale } from '../text/format.tsx'
import { createTexts } from '../text/languages.tsx'

const useTexts = createTexts(
  {
    hint: 'Choose the first and the last day.',
    calendar: 'Calendar',
    previous: 'Previous month',
    next: 'Next month',
  },
  {
    hint: 'Choisissez le premier et le dernier jour.',
    calendar: 'Calendrier',
    previous: 'Mois précédent',
    next: 'Mois suivant',
  },
)

type Props = {
  /** The days chosen so far, such as `2026-11-20`. Times of day are ignored. */
  from: string
  to: string
  onChoose(from: string, to: string): void
}

/** A calendar in which the user chooses the first and the last day, in the format of the country. */
export default function DateRange({ from, to, onChoose }: Props) {
  const t = useTexts()
  const locale = useLocale()
  const service = useMachine(datePicker.machine, {
    id: useId(),
    locale,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    selectionMode: 'range',
    inline: true,
    defaultValue: [from, to]
      .filter((day) => /^\d{4}-\d\d-\d\d$/.test(day))
      .map((day) => datePicker.parse(day)),
    onValueChange({ value: [first, last] }) {
      if (first && last) onChoose(first.toString(), last.toString())
    },
    translations: {
      content: t.calendar,
      prevTrigger: () => t.previous,
      nextTrigger: () => t.next,
      dayCell: ({ valueText }) => valueText ?? '',
    },
  })
  const calendar = datePicker.connect(service, normalizeProps)
  return (
    <div class="calendar" {...calendar.getRootProps()}>
      <p class="muted">{t.hint}</p>
      <div {...calendar.getContentProps()}>
        <div class="months">
          <button {...calendar.getPrevTriggerProps()} class="icon-button">
            <ChevronLeft size={20} />
          </button>
          <strong aria-live="polite">{calendar.visibleRangeText.start}</strong>
          <button {...calendar.getNextTriggerProps()} class="icon-button">
            <ChevronRight size={20} />
          </button>
        </div>
        <table {...calendar.getTableProps()}>
          <thead {...calendar.getTableHeaderProps()}>
            <tr {...calendar.getTableRowProps()}>
              {calendar.weekDays.map(({ long, narrow }) => (
                <th scope="col" key={long} aria-label={long}>
                  {narrow}
                </th>
              ))}
            </tr>
          </thead>
          <tbody {...calendar.getTableBodyProps()}>
            {calendar.weeks.map((week) => (
              <tr key={String(week[0])} {...calendar.getTableRowProps()}>
                {week.map((value) => (
                  <td key={String(value)} {...calendar.getDayTableCellProps({ value })}>
                    <div {...calendar.getDayTableCellTriggerProps({ value })}>{value.day}</div>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  )
}
