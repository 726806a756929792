import type { ClosedDays } from '../../../../sdk/src/index.ts'
import { flowText, inWords, minus, type Whole } from './reconciliation-text.ts'

type Day = ClosedDays['days'][number]

/** Formats closed days: the stated and booked totals, their differences, and the person who closed the day. */
export const describeDays = ({ days }: Pick<ClosedDays, 'days'>) =>
  days.map(dayText).join('') || 'No days are closed.\n'

/** Returns closed days as `--json` prints them. */
export const daysAsJson = ({ days }: Pick<ClosedDays, 'days'>) => ({ days: days.map(shown) })

const shown = ({ stated, booked, differences, by, closeTime, reopening, ...day }: Day) => ({
  ...day,
  ...{ statedLines: stated.lines, statedIn: stated.in.value, statedOut: stated.out.value },
  ...{ bookedLines: booked.lines, bookedIn: booked.in.value, bookedOut: booked.out.value },
  differences: differences.map(({ lines, amount, ...one }) => ({
    ...one,
    ...{ lines: String(lines), amount: amount.value },
  })),
  ...{ closedAt: closeTime, closedBy: by },
  reopenedAt: reopening?.createTime ?? null,
  reopenedBy: reopening?.by ?? null,
  reopeningReason: reopening?.reason ?? null,
})

function dayText(closed: Day): string {
  const { providerId, environment, day, currency, stated, booked, reopening } = closed
  const flow = (into: Whole, out: Whole) => flowText({ currency, in: into, out, net: minus(into, out) })
  const totals = (side: Day['stated']) => `${side.lines} lines  ${flow(side.in.value, side.out.value)}`
  const differ = (way: 'in' | 'out') => minus(stated[way].value, booked[way].value)
  return [
    `${providerId} ${environment} ${day} ${currency}, closed ${closed.closeTime} by ${closed.by}: ${closed.reason}`,
    `  stated  ${totals(stated)}`,
    `  booked  ${totals(booked)}`,
    `  differ by         ${flow(differ('in'), differ('out'))}`,
    ...closed.differences.map(
      ({ side, cause, direction, lines, amount: { value } }) =>
        `    ${side} only, ${inWords(cause)}: ${lines} lines, ${direction === 'collection' ? flow(value, 0) : flow(0, value)}`,
    ),
    ...(reopening ? [`  reopened ${reopening.createTime} by ${reopening.by}: ${reopening.reason}`] : []),
    '',
  ].join('\n')
}
