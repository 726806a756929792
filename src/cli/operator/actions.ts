import { showId } from '../../platform/ids.ts'
import { Refusal } from '../../platform/refusals.ts'
import { userIds } from '../../tenants/spaces/resources.ts'
import * as spaces from '../../tenants/spaces/spaces.ts'
import type { User } from '../../tenants/spaces/store.ts'
import { inTransaction } from './command-database.ts'

// Each function is the action of an operator command: it opens the database, does the work and returns the
// result to print.

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
