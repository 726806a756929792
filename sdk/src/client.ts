import { connect } from './connect.ts'
import { operations } from './generated/operations.ts'
import type { Resources } from './generated/resources.ts'
import type { PesewaOptions } from './options.ts'

/** The API calls of a service, grouped by resource. */
export type Pesewa = Resources

class Client {
  constructor(options: PesewaOptions) {
    Object.assign(this, connect(options, operations))
  }
}

/**
 * A client for a Pesewa service. It uses the given token and Space for every call.
 * @throws TypeError if the token or the URL of the service is missing
 */
// Safe: the interface declares the members that the constructor assigns.
export const Pesewa = Client as new (options: PesewaOptions) => Pesewa
