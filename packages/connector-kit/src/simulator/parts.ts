import type { FastifyReply } from 'fastify'
import type { Provider } from '../provider.ts'
import type { RailSeals } from '../seals.ts'
import type { Delays } from './behaviour.ts'
import type { SimulatorClock } from './clock.ts'
import type { SimulatorStore } from './store.ts'

/** The parts of the service that a simulated rail may use. */
export type SimulatorParts = {
  store: SimulatorStore
  catalogue: {
    find(providerId: string): Provider | undefined
    list(type: Provider['type'], country?: string): Provider[]
  }
  seals: RailSeals
  log: { error(about: object, message: string): void }
  /** The service's URL. Callbacks are only sent to it, because a rail calls only registered hosts. */
  baseUrl: string
  clock: SimulatorClock
  delays: Delays
  /** Returns the service's URL for reports that a rail sends to one URL for a whole connection. */
  connectionUrl(providerId: string): string
  /** Applies planned outcomes at this time. */
  wakeAt(moment: Date): void
  /**
   * Sends a page with the headers that all simulated pages share.
   *
   * @param template text of an Eta template, which also gets a `nonce`
   * @param allows returns directives to add to the content security policy
   */
  sendPage(
    reply: FastifyReply,
    template: string,
    view: object,
    allows: (nonce: string) => string[],
  ): Promise<unknown>
  /** Sends the service's error page for a page that does not exist, or for an invalid form. */
  refusePage(reason: 'not_found' | 'arguments_invalid'): never
}
