import type { FeeCode } from '../../money/fees/codes.ts'
import { describeFees, listOwnFees, removeFee, setFee } from '../../money/fees/fees.ts'
import type { Reader } from '../../platform/db/database.ts'
import { showId } from '../../platform/ids.ts'
import { Refusal } from '../../platform/refusals.ts'
import { spaceIds } from '../../tenants/spaces/resources.ts'
import { selectSpace } from '../../tenants/spaces/store.ts'
import { byCommand } from './actions.ts'
import { inTransaction, withDatabase } from './command-database.ts'

// The actions of `pesewa fees`. A rule always applies to both environments.

export const list = () =>
  withDatabase(async (db) => ({
    fees: (await listOwnFees(db)).map(({ spaceId, ...own }) => ({
      spaceId: showId(spaceIds, spaceId),
      ...own,
    })),
  }))

export const show = (id: string) => withDatabase((db) => feesOf(db, id))

export const set = (id: string, { code, rule }: { code: FeeCode; rule: string }) =>
  inTransaction(async (tx) => {
    await checkSpace(tx, id)
    await setFee(tx, id, code, rule, byCommand('fees set'), 'rule')
    return feesOf(tx, id)
  })

export const remove = (id: string, { code }: { code: FeeCode }) =>
  inTransaction(async (tx) => {
    await checkSpace(tx, id)
    if (!(await removeFee(tx, id, code, byCommand('fees remove'))))
      throw new Refusal('state_conflict', { message: `This Space has no custom ${code} fee.` })
    return feesOf(tx, id)
  })

async function feesOf(db: Reader, id: string) {
  await checkSpace(db, id)
  return { fees: await describeFees(db, { spaceId: id, environment: 'live' }) }
}

async function checkSpace(db: Reader, id: string): Promise<void> {
  if (!(await selectSpace(db, id))) throw new Refusal('not_found', { message: 'There is no such Space.' })
}
