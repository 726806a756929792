import { formatMoney } from '../../countries/money.ts'
import { paymentsFrom } from '../../providers/conformance/conformance.ts'
import type { ChosenRail } from './rail-test-choice.ts'

/** What a run sends, for whoever has to say yes to it. */
export function noticeOf(
  name: string,
  { provider: { providerId }, connection, accounts }: ChosenRail,
  { amount, currency, callbackUrl }: { amount: bigint; currency: string; callbackUrl: string },
): string {
  const each = formatMoney({ currency, value: amount })
  const lines = (['paying', 'late'] as const).flatMap((ending) => {
    const account = accounts[ending]
    return account === undefined
      ? []
      : [`  up to ${paymentsFrom(ending)} × ${each} from ${account ?? 'a card'} (--${ending})`]
  })
  return [
    `${name} reaches ${providerId} by ${connection.protocol} at ${connection.baseUrl}. Of this rail are ordered:`,
    ...lines,
    'What is paid is not given back: on a rail that is not a sandbox it is real money.',
    `Reports are awaited at ${callbackUrl}.`,
    '',
  ].join('\n')
}
