import { api, type ResultOf } from '../../api/client.ts'
import { useRows } from '../../api/queries.ts'
import { useCurrentSpace } from '../../api/scope.tsx'

export type PayeeType = 'momo' | 'bank' | 'wallet'
export type Payable = { type: PayeeType; provider: ResultOf<typeof api.momos.list>[number] }

/**
 * Returns the active providers in the Space's country that accept payouts. Only the first page of each type is
 * read.
 */
export function usePayableProviders(): Payable[] {
  const { country } = useCurrentSpace().space
  const query = { country, limit: 50 }
  const momos = useRows(api.momos.list, [query]).rows
  const banks = useRows(api.banks.list, [query]).rows
  const wallets = useRows(api.wallets.list, [query]).rows
  const of = (type: PayeeType, providers: typeof momos) =>
    providers
      .filter(({ status, featureSet }) => status.active && featureSet.payout.canPayTo)
      .map((provider) => ({ type, provider }))
  return [...of('momo', momos), ...of('bank', banks), ...of('wallet', wallets)]
}
