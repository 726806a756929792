import { wholeNumber } from '@pesewa/values'
import { list, type Route } from '../../platform/http/commands/route.ts'
import { showId } from '../../platform/ids.ts'
import type { Platform } from '../../platform/platform.ts'
import { existing } from '../../platform/refusals.ts'
import { ownershipGraph } from '../../tenants/spaces/ownership.ts'
import { requireBalances } from './accounts.ts'
import { selectOpenHolds } from './hold-store.ts'
import { accountIds, holdIds } from './resources.ts'
import { hold } from './shapes.ts'
import { selectFinancialAccount } from './store.ts'

/** Lists the holds that make up an account's `held` balance. */
export const holdRoutes = ({ db }: Pick<Platform, 'db'>): Route[] => [
  list({
    url: '/v1/financial-accounts/:id/holds',
    summary: 'List the open holds of a financial account; needs balances:read',
    permission: 'financial-accounts:read',
    idKind: accountIds,
    result: hold,
    async list(call, page) {
      requireBalances(call)
      const account = existing(await selectFinancialAccount(db, call.scope, call.id))
      const holds = await selectOpenHolds(db, call.scope, call.id, page)
      return holds.map((row) => ({ ...row, currency: account.currency }))
    },
    position: ({ id }) => id,
    present: (row, { scope }) => ({
      id: showId(holdIds, row.id),
      amount: { currency: row.currency, value: wholeNumber(row.amount - row.captured - row.released) },
      expireTime: row.expiresAt?.toISOString() ?? null,
      createTime: row.createdAt.toISOString(),
      ownershipGraph: ownershipGraph(scope.spaceId, [row.owner]),
    }),
  }),
]
