import type { Provider } from '@pesewa/connector-kit'
import type { Environment } from '../../platform/scope.ts'

/** Tells the pages whether payers can dial. It is supplied by a later slice. */
export type DialAvailability = {
  /** Returns whether phones can dial codes in this environment, and pay with this provider in the menu. */
  isPossible(environment: Environment, provider: Provider): boolean
}
