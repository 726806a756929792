import type { RailSeals } from '@pesewa/connector-kit'
import type { SimulatedRail } from '@pesewa/connector-kit/simulator'
import { rest } from '../protocol.ts'
import { signReport } from '../report.ts'
import { callbackKey } from '../test-keys.ts'
import { railDocumentOf } from './documents.ts'
import { railPageRoutes } from './pages.ts'
import { refundRoutes } from './refunds.ts'
import { readCollection } from './request.ts'
import { collectionRoutes } from './routes.ts'
import { statementRoutes } from './statement-routes.ts'
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
  sign: (seals: RailSeals, { body }: { body: string }) => signReport(callbackKey(seals), body),
} satisfies Partial<SimulatedRail>

export const simulatedRail: SimulatedRail = {
  ...restCallbacks,
  protocol: banks.protocol,
  routes: (parts) => [
    ...collectionRoutes(parts, banks),
    ...transferRoutes(parts, banks),
    ...refundRoutes(parts, banks),
    ...railPageRoutes(parts, banks),
    ...statementRoutes(parts),
  ],
}
