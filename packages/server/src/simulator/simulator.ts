import type { Provider } from '@pesewa/connector-kit'
import {
  defaultDelays,
  type SimulatedRail,
  type SimulatorClock,
  systemClock,
} from '@pesewa/connector-kit/simulator'
import type { RawRoute } from '../platform/http/commands/route.ts'
import { ownUrl, type Platform } from '../platform/platform.ts'
import { Refusal } from '../platform/refusals.ts'
import type { Catalogue } from '../rails/connections/catalogue.ts'
import { protocols } from '../rails/connections/protocols.ts'
import { connectionCallbackUrl } from '../rails/instructions/callback-url.ts'
import type { ProviderSettings } from '../rails/providers/settings.ts'
import { testGatewayUrl } from '../ways-to-pay/ussd/test-gateway.ts'
import { createEngine } from './engine/engine.ts'
import type { SimulatorPlatform } from './engine/parts.ts'
import { deleteOldData } from './engine/retention.ts'
import { openStore } from './engine/store.ts'
import { openDialling } from './handsets/dialling.ts'
import { handsetPageRoutes } from './handsets/page.ts'
import { handsetRoutes } from './handsets/routes.ts'
import { sendSimulatorPage } from './page-reply.ts'

export type Simulator = {
  /** The HTTP interfaces of the rails, under `/simulator/`. */
  routes: RawRoute[]
  /** Deletes data that is older than a week, even if the simulator is off. */
  forget(): Promise<void>
  /**
   * Starts to carry out planned outcomes, whichever node planned them. Until then, nothing runs in the
   * background.
   */
  start(): void
  /** Stops the timers. Another node, or this one after a restart, continues from the state in the database. */
  stop(): Promise<void>
}

/**
 * Returns the simulator of the rails in the test environment. The simulated rails use the real protocols and
 * store requests in PostgreSQL, and the outcome depends on the number of the payer or payee. Planned outcomes
 * survive a crash, and any number of nodes can carry them out concurrently.
 */
export async function openSimulator(
  parts: Pick<
    SimulatorPlatform,
    'db' | 'log' | 'seals' | 'baseUrl' | 'catalogue' | 'gatewayUrl' | 'rateLimits' | 'isOn'
  >,
  clock = systemClock,
): Promise<Simulator> {
  const { db, baseUrl } = parts
  const rails = parts.isOn ? await Promise.all(protocols.map(({ simulator }) => simulator())) : []
  const engine = createEngine({ ...parts, clock }, rails)
  const rail: SimulatorPlatform = {
    ...parts,
    clock,
    delays: defaultDelays,
    wakeAt: engine.wakeAt,
    store: openStore(db),
    connectionUrl: (providerId) => connectionCallbackUrl(baseUrl, 'test', providerId),
    sendPage: sendSimulatorPage,
    refusePage(reason) {
      throw new Refusal(reason)
    },
  }
  const dialling = openDialling(parts.gatewayUrl)
  return {
    routes: parts.isOn
      ? [
          ...rails.flatMap(({ routes }) => routes(rail)),
          ...handsetPageRoutes(parts),
          ...handsetRoutes(rail, dialling, menuAmong(rails)),
        ]
      : ['/simulator', '/simulator/*'].map(absentRoute),
    forget: () => deleteOldData(db, clock),
    start: () => {
      if (parts.isOn) engine.start()
    },
    async stop() {
      await engine.stop()
      await dialling.close()
    },
  }
}

const menuAmong = (rails: SimulatedRail[]) => (provider: Provider) =>
  rails.find(({ protocol }) => protocol === provider.protocol)?.menu

/** Returns a route that explains why the simulator's URLs do not exist. */
const absentRoute = (url: string): RawRoute => ({
  kind: 'raw',
  method: ['GET', 'POST', 'PUT'],
  url,
  summary: 'Explain that the simulator is off',
  admit: () => {
    throw new Refusal('route_not_found', { message: 'The simulator is off. Set SIMULATOR=on to enable it.' })
  },
  handle: () => undefined,
})

/** Returns this node's simulator, which runs if SIMULATOR is on. */
export const openOwnSimulator = (
  { settings, db, log, seals, baseUrl }: Platform<ProviderSettings>,
  catalogue: Catalogue,
  clock: SimulatorClock | undefined,
): Promise<Simulator> =>
  openSimulator(
    {
      db,
      log,
      seals,
      catalogue,
      baseUrl,
      gatewayUrl: testGatewayUrl(ownUrl(settings), seals),
      rateLimits: settings.rateLimits,
      isOn: settings.simulator === 'on',
    },
    clock,
  )
