import type { PaymentCodeSettings } from '../payment-codes/settings.ts'
import type { PaymentParts } from '../payments/payments.ts'
import type { PaymentSettings } from '../payments/settings.ts'
import type { Platform } from '../platform/platform.ts'
import type { Providers } from '../providers/providers.ts'
import type { SessionKey } from './session-store.ts'
import type { UssdSettings } from './settings.ts'

export type UssdParts = Platform<UssdSettings & PaymentCodeSettings & PaymentSettings> &
  Providers &
  PaymentParts

/** One step of a phone's session, whatever the aggregator's protocol. */
export type Step = SessionKey & {
  /** The aggregator's word for the phone's network. */
  network: string
  /** The digits of the code that was dialled, as far as the phone has sent any. */
  number: string | undefined
  /** What the phone entered last. */
  input: string
  /** Names the step in its session: a repeated delivery has the same. */
  step: string
}
