import type { Seals } from '../../platform/seals.ts'
import { rest } from '../../rails/connections/protocols/rest/protocol.ts'
import { signReport } from '../../rails/connections/protocols/rest/report.ts'
import { callbackKey } from '../../rails/connections/protocols/rest/test-keys.ts'
import type { SimulatedRail } from '../engine/rail.ts'
import { railDocumentOf } from './documents.ts'
import { railPageRoutes } from './pages.ts'
import { refundRoutes } from './refunds.ts'
import { readCollection } from './request.ts'
import { collectionRoutes } from './routes.ts'
import { transferRoutes } from './transfers.ts'
import type { RestVariant } from './variant.ts'

const banks: RestVariant = {
  protocol: rest.name,
  who: 'bank or wallet',
  noun: 'collections',
  readBody: readCollection,
  cards: [],
}

/** How both REST variants send callbacks. */
export const restCallbacks = {
  callbackMethod: 'POST',
  documentOf: railDocumentOf,
  sign: (seals: Seals, { body }: { body: string }) => signReport(callbackKey(seals), body),
} satisfies Partial<SimulatedRail>

export const restRail: SimulatedRail = {
  ...restCallbacks,
  protocol: banks.protocol,
  routes: (parts) => [
    ...collectionRoutes(parts, banks),
    ...transferRoutes(parts, banks),
    ...refundRoutes(parts, banks),
    ...railPageRoutes(parts, banks),
  ],
}
