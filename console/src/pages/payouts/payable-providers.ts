import type { ResultOf } from '../../api/client.ts'
import { useRows } from '../../api/queries.ts'
import { useCurrentSpace } from '../../api/scope.tsx'

export type PayeeType = 'momo' | 'bank' | 'wallet'
export type Payable = { type: PayeeType; provider: ResultOf<'GET /v1/momos'>[number] }

/**
 * Returns the active providers in the Space's country that accept payouts. Only the first page of each type is
 * read.
 */
export function usePayableProviders(): Payable[] {
  const { country } = useCurrentSpace().space
  const args = { query: { country, limit: 50 } }
  const momos = useRows('GET /v1/momos', args).rows
  const banks = useRows('GET /v1/banks', args).rows
  const wallets = useRows('GET /v1/wallets', args).rows
  const of = (type: PayeeType, providers: typeof momos) =>
    providers
      .filter(({ status, featureSet }) => status.active && featureSet.payout.canPayTo)
      .map((provider) => ({ type, provider }))
  return [...of('momo', momos), ...of('bank', banks), ...of('wallet', wallets)]
}
