import type { ListedDay, SignedDay } from '../../reconciliation/days.ts'
import { bigintAsText, flowText, inWords } from './reconciliation-text.ts'

/** Closed days: what each side shows, each difference, and who signed; or as one JSON object, amounts as text. */
export const describeDays = (days: (SignedDay | ListedDay)[], json: boolean): string =>
  json ? `${JSON.stringify({ days }, bigintAsText)}\n` : days.map(dayText).join('')

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
