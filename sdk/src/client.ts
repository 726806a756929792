import { connect } from './connect.ts'
import { operations } from './generated/operations.ts'
import type { Resources } from './generated/resources.ts'
import type { PesewaOptions } from './options.ts'

/** The calls of a service, by their resources. */
export type Pesewa = Resources

class Client {
  constructor(options: PesewaOptions) {
    Object.assign(this, connect(options, operations))
  }
}

/**
 * A client of a service. It has a token and a Space, so that calls need neither.
 *
 * @throws TypeError where the token or the address of the service is missing
 */
// What is assigned to it, its interface declares.
export const Pesewa = Client as new (options: PesewaOptions) => Pesewa
