import { createBatches } from '../platform/batches.ts'
import type { RawRoute } from '../platform/http/commands/route.ts'
import { ownUrl, type Platform } from '../platform/platform.ts'
import { Refusal } from '../platform/refusals.ts'
import type { Catalogue } from '../rails/connections/catalogue.ts'
import type { Provider } from '../rails/connections/provider.ts'
import type { ProviderSettings } from '../rails/providers/settings.ts'
import { testGatewayUrl } from '../ways-to-pay/ussd/test-gateway.ts'
import { acquirerRail } from './acquirer/rail.ts'
import { airtelRail } from './airtel/rail.ts'
import { darajaRail } from './daraja/rail.ts'
import { defaultDelays } from './engine/behaviour.ts'
import { type SimulatorClock, systemClock } from './engine/clock.ts'
import { collections } from './engine/collection-store.ts'
import { disbursements } from './engine/disbursement-store.ts'
import { createEngine } from './engine/engine.ts'
import type { SimulatorParts } from './engine/parts.ts'
import { insertRequests, type NewRequest, type RequestTable } from './engine/request-store.ts'
import { deleteOldData } from './engine/retention.ts'
import { gsmaRail } from './gsma/rail.ts'
import { openDialling } from './handsets/dialling.ts'
import { handsetPageRoutes } from './handsets/page.ts'
import { handsetRoutes } from './handsets/routes.ts'
import { mtnRail } from './mtn/rail.ts'
import { pawapayRail } from './pawapay/rail.ts'
import { paystackRail } from './paystack/rail.ts'
import { restRail } from './rest/rail.ts'
import { statementRoutes } from './statements/statements.ts'

/** All simulated protocols. */
const rails = [mtnRail, restRail, acquirerRail, pawapayRail, airtelRail, darajaRail, gsmaRail, paystackRail]

const menuOf = ({ protocol }: Provider) => rails.find((rail) => rail.protocol === protocol)?.menu

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
export function openSimulator(
  parts: Omit<SimulatorParts, 'clock' | 'delays' | 'wakeAt' | 'store'>,
  clock = systemClock,
): Simulator {
  const { db } = parts
  const engine = createEngine({ ...parts, clock }, rails)
  const storing = (table: RequestTable) =>
    createBatches<NewRequest, boolean>({
      run: (requests) =>
        db.transaction(async (tx) =>
          (await insertRequests(tx, table, requests)).map((answer) => ({ answer })),
        ),
    })
  const batches = { collection: storing(collections), disbursement: storing(disbursements) }
  const store: SimulatorParts['store'] = (kind, request) => batches[kind].submit('', request)
  const rail = { ...parts, clock, delays: defaultDelays, wakeAt: engine.wakeAt, store }
  const dialling = openDialling(parts.gatewayUrl)
  return {
    routes: parts.isOn
      ? [
          ...rails.flatMap(({ routes }) => routes(rail)),
          ...statementRoutes(rail),
          ...handsetPageRoutes(parts),
          ...handsetRoutes(rail, dialling, menuOf),
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
): Simulator =>
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
