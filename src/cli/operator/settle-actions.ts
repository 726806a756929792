import { bookSettlement, type NewSettlement } from '../../finance/settlements/new-settlement.ts'
import { presentSettlement, reverseSettlement, scopeOf } from '../../finance/settlements/settlements.ts'
import { selectSettlements } from '../../finance/settlements/store.ts'
import { readNow } from '../../platform/clock.ts'
import { Refusal } from '../../platform/refusals.ts'
import type { Environment, Scope } from '../../platform/scope.ts'
import { loadCatalogue } from '../../rails/connections/catalogue.ts'
import { readSettings } from '../../slices.ts'
import type { Decider } from '../../tenants/spaces/audit.ts'
import { selectSpace } from '../../tenants/spaces/store.ts'
import { inTransaction, withDatabase } from './command-database.ts'

// The actions of `pesewa settle` and its subcommands.

type ScopeOptions = { space: string; environment: Environment }
export type BookOptions = ScopeOptions &
  Pick<NewSettlement, 'kind' | 'direction' | 'amount' | 'bankReference' | 'valueDate' | 'note'> & {
    provider: string
    advance?: boolean
    by: string
  }
export type SettlementListOptions = ScopeOptions & { bankReference?: string }

const maxListed = 1_000

export const book = ({ space, environment, provider, advance = false, by, ...newSettlement }: BookOptions) =>
  inTransaction(async (tx) => {
    const scope = { spaceId: space, environment }
    if (!(await selectSpace(tx, space)))
      throw new Refusal('not_found', { message: 'There is no such Space.' })
    const catalogue = loadCatalogue(readSettings(process.env).providersFile)
    const settlement = { ...newSettlement, providerId: provider, isAdvance: advance }
    return shown(scope, await bookSettlement(tx, catalogue, scope, settlement, by, await readNow(tx, scope)))
  })

export const reverse = (id: string, decider: Decider) =>
  inTransaction(async (tx) => {
    const scope = await scopeOf(tx, id)
    return shown(scope, await reverseSettlement(tx, scope, id, decider, await readNow(tx, scope)))
  })

export const list = ({ space, environment, bankReference }: SettlementListOptions) =>
  withDatabase(async (db) => {
    const scope = { spaceId: space, environment }
    const settlements = await selectSettlements(
      db,
      scope,
      { bankReference },
      { take: maxListed, after: undefined },
    )
    return { settlements: settlements.map((one) => shown(scope, one)) }
  })

/** Presents a settlement without its Space and environment, which the operator has just entered. */
function shown(scope: Scope, settlement: Parameters<typeof presentSettlement>[1]) {
  const { ownershipGraph: _, ...one } = presentSettlement(scope, settlement)
  return one
}
