import { resource } from '../../platform/http/commands/resource.ts'
import type { Route } from '../../platform/http/commands/route.ts'
import { nameText, object, optionalEnum, withDescription } from '../../platform/http/shapes/shapes.ts'
import { showId } from '../../platform/ids.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Catalogue } from '../../rails/connections/catalogue.ts'
import { userIds } from '../../tenants/spaces/resources.ts'
import { bookSettlement, validateSettlement } from './new-settlement.ts'
import { settlementIds } from './resources.ts'
import { presentSettlement, reverseSettlement } from './settlements.ts'
import {
  bankReferenceFilter,
  newSettlement,
  settlement,
  settlementExample,
  settlementRules,
} from './shapes.ts'
import { settlementStatuses } from './states.ts'
import { selectSettlements, shareSettlements } from './store.ts'

export function settlementRoutes({ db, catalogue }: Platform & { catalogue: Catalogue }): Route[] {
  const settlements = resource({
    url: '/v1/settlements',
    permission: 'settlements',
    idKind: settlementIds,
    result: settlement,
    find: shareSettlements(db),
    present: (row, { scope }) => presentSettlement(scope, row),
  })
  return [
    settlements.create({
      summary: 'Create a settlement',
      about: 'Books money that moved between a provider and a bank.',
      reasons: ['reference_in_use', 'state_conflict'],
      body: newSettlement,
      example: settlementExample,
      rules: settlementRules,
      validate: (_db, { body, now }, issues) => validateSettlement(catalogue, body, now, issues),
      write: (tx, { scope, body, userId, now }) =>
        bookSettlement(tx, catalogue, scope, body, showId(userIds, userId), now),
    }),
    settlements.list({
      summary: 'List settlements',
      query: object({
        status: optionalEnum(settlementStatuses, 'Only settlements with this status.'),
        bankReference: bankReferenceFilter,
      }),
      list: ({ scope, query }, page) => selectSettlements(db, scope, query, page),
    }),
    settlements.read({ summary: 'Retrieve a settlement' }),
    settlements.action('reverse', {
      summary: 'Reverse a settlement',
      about: 'For a settlement that was booked by mistake.',
      reasons: ['state_conflict'],
      body: object({ reason: withDescription(nameText(1, 500), 'Reason for the reversal, for the record.') }),
      example: { reason: 'Booked for the wrong provider' },
      write: (tx, { scope, id, body: { reason }, userId, now }) =>
        reverseSettlement(tx, scope, id, { by: showId(userIds, userId), reason }, now),
    }),
  ]
}
