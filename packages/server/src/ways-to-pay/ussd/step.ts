import type { PaymentSettings } from '../../money/payments/settings.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Providers } from '../../rails/providers/providers.ts'
import type { PayingParts } from '../checkout/paying.ts'
import type { PaymentCodeSettings } from '../payment-codes/settings.ts'
import type { SessionKey } from './session-store.ts'
import type { UssdSettings } from './settings.ts'

export type UssdParts = Platform<UssdSettings & PaymentCodeSettings & PaymentSettings> &
  Providers &
  PayingParts

/** One step of a phone's session, whatever the protocol of the aggregator. */
export type Step = SessionKey & {
  /** The aggregator's code for the phone's network. */
  network: string
  /** Digits of the dialled code, if the phone has already sent any. */
  number: string | undefined
  /** The phone's last input. */
  input: string
  /** Identifies the step within its session. A repeated delivery has the same value. */
  step: string
}
