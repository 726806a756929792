import { describeFees } from '../../money/fees/fees.ts'
import { openSpace } from '../../operations/installation/opening.ts'
import { selectCountedSpace } from '../../operations/installation/store.ts'
import { showId } from '../../platform/ids.ts'
import { Refusal } from '../../platform/refusals.ts'
import type { Decider } from '../../tenants/spaces/audit.ts'
import { spaceIds, userIds } from '../../tenants/spaces/resources.ts'
import * as spaces from '../../tenants/spaces/spaces.ts'
import { type Space, selectSpaces, type User } from '../../tenants/spaces/store.ts'
import * as suspension from '../../tenants/spaces/suspension.ts'
import { inTransaction, withDatabase } from './command-database.ts'

// Each function is the action of an operator command: it opens the database, does the work and returns the
// result to print.

export type NewSpaceOptions = { name: string; country: string }

export const createSpace = ({ name, country }: NewSpaceOptions) =>
  inTransaction(async (tx) => {
    return describeSpace(await openSpace(tx, { name, country: country.toUpperCase() }))
  })

export const listSpaces = () =>
  withDatabase(async (db) => ({ spaces: (await selectSpaces(db)).map(describeSuspension) }))

export const showSpace = (id: string) =>
  withDatabase(async (db) => {
    const space = await selectCountedSpace(db, id)
    if (!space) throw new Refusal('not_found', { message: 'There is no such Space.' })
    const { memberCount, openCaseCount } = space
    const fees = await describeFees(db, { spaceId: id, environment: 'live' })
    return { ...describeSuspension(space), memberCount, openCaseCount, fees }
  })

export const suspendSpace = (id: string, decider: Decider) =>
  inTransaction(async (tx) => describeSuspension(await suspension.suspendSpace(tx, id, decider)))

export const resumeSpace = (id: string, decider: Decider) =>
  inTransaction(async (tx) => describeSuspension(await suspension.resumeSpace(tx, id, decider)))

export type NewUserOptions = { email: string; operator?: boolean }

export const addUser = ({ email, operator = false }: NewUserOptions) =>
  inTransaction(async (tx) => describeUser(await spaces.addUser(tx, email, { isOperator: operator })))

export const setUser = (id: string, { operator }: { operator?: boolean }) =>
  inTransaction(async (tx) => {
    if (operator === undefined)
      throw new Refusal('arguments_invalid', { message: 'Nothing to set: add --operator or --no-operator.' })
    return describeUser(await spaces.setOperator(tx, id, operator))
  })

export const describeUser = ({ id, email, isOperator }: User) => ({
  id: showId(userIds, id),
  email,
  operator: isOperator,
})

/** Actor and reason recorded for commands that do not ask for the operator's name. */
export const byCommand = (command: string) => ({ by: 'operator', reason: `pesewa ${command}` })

export const describeSpace = ({
  id,
  name,
  country,
  createdAt,
}: Pick<Space, 'id' | 'name' | 'country' | 'createdAt'>) => ({
  id: showId(spaceIds, id),
  name,
  country,
  createTime: createdAt,
})

const describeSuspension = ({ suspendedAt, suspendedBy, suspensionReason, ...space }: Space) => ({
  ...describeSpace(space),
  status: suspendedAt === null ? 'active' : 'suspended',
  suspension: suspendedAt && { by: suspendedBy, reason: suspensionReason, createTime: suspendedAt },
})
