import { useQuery } from '@tanstack/preact-query'
import { api, call, type ResultOf } from '../../api/client.ts'
import { statusOf } from '../../api/errors.ts'
import { useCurrentSpace, usePermissions } from '../../api/scope.tsx'
import { type Payable, usePayableProviders } from './payable-providers.ts'
import { type Payout, payeeOf } from './payout-status.tsx'
import { useTexts } from './texts.ts'

type Props = {
  /** Phone number, account number or wallet ID. */
  account: string
  provider: Payable['provider']
}

/** Looks up the name of the account holder. Look-ups are limited, so that a name is not read again. */
function useHolder(account: string, provider: Payable['provider'] | undefined, isAsked = true) {
  const { scope } = useCurrentSpace()
  const providerId = provider?.providerId ?? ''
  return useQuery<ResultOf<typeof api.providerKyc.retrieve>>({
    queryKey: [scope.spaceId, scope.environment, 'holder', providerId, account],
    queryFn: async ({ signal }) =>
      (await call(api.providerKyc.retrieve, [providerId, { accountId: account }], { scope, signal })).data,
    staleTime: Number.POSITIVE_INFINITY,
    enabled: isAsked && provider?.featureSet.kycVerification.canVerifyAccount === true,
  })
}

/** Shows the name of the account holder, if the provider can look it up. */
export function Holder({ account, provider }: Props) {
  const t = useTexts()
  const canVerify = provider.featureSet.kycVerification.canVerifyAccount
  const { data, error } = useHolder(account, provider)
  if (!canVerify) return <>{t.holderUnchecked}</>
  if (error) return <>{statusOf(error) === 404 ? t.holderMissing : t.holderUnknown}</>
  return data ? <strong>{data.account.holderName}</strong> : <span>{t.asking}</span>
}

const usePayeeProvider = ({ destination }: Payout) => {
  const all = usePayableProviders()
  return { all, payable: all.find(({ provider }) => provider.providerId === destination.providerId) }
}

/** Shows the name of the holder of the payee's account. */
export function PayeeHolder({ payout }: { payout: Payout }) {
  const t = useTexts()
  const { all, payable } = usePayeeProvider(payout)
  if (all.length === 0) return <>{t.asking}</>
  return payable ? <Holder account={payeeOf(payout)} provider={payable.provider} /> : t.holderUnchecked
}

/** Returns the name of the account holder if it has been looked up on an earlier page. */
export const useKnownHolder = (payout: Payout): string | undefined =>
  useHolder(payeeOf(payout), usePayeeProvider(payout).payable?.provider, false).data?.account.holderName

/** Returns the name of the account holder or, while it is unknown, the account. */
export function usePayeeName(payout: Payout): string {
  const mayLookUp = usePermissions()('provider-kyc:read')
  const { payable } = usePayeeProvider(payout)
  const { data } = useHolder(payeeOf(payout), mayLookUp ? payable?.provider : undefined)
  return data?.account.holderName ?? payeeOf(payout)
}
