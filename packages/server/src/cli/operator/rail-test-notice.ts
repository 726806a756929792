import { paymentsFrom } from '@pesewa/connector-kit/conformance'
import { formatMoney } from '@pesewa/values'
import type { ChosenRail } from './rail-test-choice.ts'

/** Describes the payments of a run before the operator confirms them. */
export function describePayments(
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
    `${name} reaches ${providerId} through ${connection.protocol} at ${connection.baseUrl}. The test requests:`,
    ...lines,
    'Payments are not refunded: outside a sandbox, this is real money.',
    `Callbacks are expected at ${callbackUrl}.`,
    '',
  ].join('\n')
}
