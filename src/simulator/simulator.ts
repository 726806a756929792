import { createBatches } from '../platform/batches.ts'
import type { RawRoute } from '../platform/http/route.ts'
import { ownUrl, type Platform } from '../platform/platform.ts'
import { Refusal } from '../platform/refusals.ts'
import type { Catalogue } from '../providers/catalogue.ts'
import type { Provider } from '../providers/provider.ts'
import type { ProviderSettings } from '../providers/settings.ts'
import { testGatewayUrl } from '../ussd/test-gateway.ts'
import { acquirerRail } from './acquirer/rail.ts'
import { airtelRail } from './airtel/rail.ts'
import { darajaRail } from './daraja/rail.ts'
import { defaultDelays } from './engine/behaviour.ts'
import { type SimulatorClock, systemClock } from './engine/clock.ts'
import { collections } from './engine/collection-store.ts'
import { disbursements } from './engine/disbursement-store.ts'
import { createEngine } from './engine/engine.ts'
import { forgetOld } from './engine/forgetting.ts'
import type { SimulatorParts } from './engine/parts.ts'
import { insertRequests, type NewRequest, type RequestTable } from './engine/request-store.ts'
import { gsmaRail } from './gsma/rail.ts'
import { openDialling } from './handsets/dialling.ts'
import { handsetPageRoutes } from './handsets/page.ts'
import { handsetRoutes } from './handsets/routes.ts'
import { mtnRail } from './mtn/rail.ts'
import { pawapayRail } from './pawapay/rail.ts'
import { paystackRail } from './paystack/rail.ts'
import { restRail } from './rest/rail.ts'
import { statementRoutes } from './statements/statements.ts'

/** Every protocol that the simulator speaks. */
const rails = [mtnRail, restRail, acquirerRail, pawapayRail, airtelRail, darajaRail, gsmaRail, paystackRail]

const menuOf = ({ protocol }: Provider) => rails.find((rail) => rail.protocol === protocol)?.menu

export type Simulator = {
  /** The rails' own HTTP interfaces, under `/simulator/`. */
  routes: RawRoute[]
  /** Forgets what is older than a week, also where it is off. */
  forget(): Promise<void>
  /** From now on what was planned happens, by this node or another. Until then nothing happens by itself. */
  start(): void
  /** Stops what is planned in memory; another node, or the next start, goes on from the database. */
  stop(): Promise<void>
}

/**
 * The test environment's rails: they speak the protocol of the real ones, keep their requests in PostgreSQL and
 * decide by the number of the payer or payee. What they plan survives a crash, and any number of nodes may run them at
 * once.
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
    forget: () => forgetOld(db, clock),
    start: () => {
      if (parts.isOn) engine.start()
    },
    async stop() {
      await engine.stop()
      await dialling.close()
    },
  }
}

/** What is not there says why. */
const absentRoute = (url: string): RawRoute => ({
  kind: 'raw',
  method: ['GET', 'POST', 'PUT'],
  url,
  summary: 'The simulator, where it is off',
  admit: () => {
    throw new Refusal('route_not_found', { message: 'The simulator is off here; SIMULATOR=on turns it on.' })
  },
  handle: () => undefined,
})

/** The simulator as this node runs it: on where SIMULATOR says so. */
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
