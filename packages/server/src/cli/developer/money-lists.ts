import { Pesewa } from '../../../../sdk/src/index.ts'
import type { OwnerType } from '../../rails/instructions/owner-types.ts'
import { type ConnectionOptions, readConnection, throwWithUrl } from './connection.ts'
import type { ListedStatus, MoneyObject } from './money-rows.ts'

export type MoneyListOptions = ConnectionOptions & {
  status?: ListedStatus
  search?: string
  limit: number
}

/** Returns the latest payments, payouts or refunds of a Space, newest first. */
export const listMoney = (type: OwnerType, { limit, status, search, ...options }: MoneyListOptions) =>
  withApi(options, async (api): Promise<MoneyObject[]> => {
    const query = {
      limit: Math.min(limit, pageSize),
      ...(status && { status }),
      ...(search && { q: search }),
    }
    if (type === 'payment') return api.payments.list(query).all({ limit })
    return type === 'payout' ? api.payouts.list(query).all({ limit }) : api.refunds.list(query).all({ limit })
  })

/** Returns a payment, a payout or a refund of a Space. */
export const showMoney = (type: OwnerType, id: string, options: ConnectionOptions) =>
  withApi(options, async (api): Promise<MoneyObject> => {
    if (type === 'payment') return api.payments.retrieve(id)
    return type === 'payout' ? api.payouts.retrieve(id) : api.refunds.retrieve(id)
  })

const pageSize = 50 // maximum page size of the API

async function withApi<T>(options: ConnectionOptions, work: (api: Pesewa) => Promise<T>): Promise<T> {
  const connection = readConnection(options)
  try {
    return await work(new Pesewa(connection))
  } catch (error) {
    throwWithUrl(connection.baseUrl, error)
  }
}
