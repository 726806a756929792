import { wholeNumber } from '@pesewa/values'
import type { ListedDay, SignedDay } from '../../finance/reconciliation/day-store.ts'
import { toJson } from '../output/describe.ts'
import { flowText, inWords } from './reconciliation-text.ts'

/**
 * Formats closed days, either as text with the stated and booked totals, their differences and the person who
 * closed the day, or as one JSON object.
 */
export const describeDays = (days: (SignedDay | ListedDay)[], json: boolean): string =>
  json ? `${toJson({ days: days.map(shown) })}\n` : days.map(dayText).join('') || 'No days are closed.\n'

const shown = ({ differences, ...day }: SignedDay | ListedDay) => ({
  ...day,
  differences: differences.map(({ amount, ...one }) => ({ ...one, amount: wholeNumber(BigInt(amount)) })),
})

function dayText(day: SignedDay | ListedDay): string {
  const { providerId, environment, currency, closedAt, closedBy, reason } = day
  return [
    `${providerId} ${environment} ${day.day} ${currency}, closed ${closedAt.toISOString()} by ${closedBy}: ${reason}`,
    `  stated  ${day.statedLines} lines  ${flow(currency, day.statedIn, day.statedOut)}`,
    `  booked  ${day.bookedLines} lines  ${flow(currency, day.bookedIn, day.bookedOut)}`,
    `  differ by         ${flow(currency, day.statedIn - day.bookedIn, day.statedOut - day.bookedOut)}`,
    ...day.differences.map(
      ({ side, cause, direction, lines, amount }) =>
        `    ${side} only, ${inWords(cause)}: ${lines} lines, ${direction === 'collection' ? flow(currency, BigInt(amount), 0n) : flow(currency, 0n, BigInt(amount))}`,
    ),
    ...('reopenedAt' in day && day.reopenedAt
      ? [`  reopened ${day.reopenedAt.toISOString()} by ${day.reopenedBy}: ${day.reopeningReason}`]
      : []),
    '',
  ].join('\n')
}

const flow = (currency: string, into: bigint, out: bigint) =>
  flowText({ currency, in: into, out, net: into - out })
