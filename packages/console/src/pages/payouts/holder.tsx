import { useQuery } from '@tanstack/preact-query'
import { api, call, type ResultOf } from '../../api/client.ts'
import { statusOf } from '../../api/errors.ts'
import { useCurrentSpace } from '../../api/scope.tsx'
import type { Payable } from './payable-providers.ts'
import { useTexts } from './texts.ts'

type Props = {
  /** Phone number, account number or wallet ID. */
  account: string
  provider: Payable['provider']
}

/** Shows the name of the account holder, if the provider can look it up. */
export function Holder({ account, provider }: Props) {
  const t = useTexts()
  const canVerify = provider.featureSet.kycVerification.canVerifyAccount
  const { scope } = useCurrentSpace()
  const { providerId } = provider
  // Look-ups are limited, so that a name is not read again.
  const { data, error } = useQuery<ResultOf<typeof api.providerKyc.retrieve>>({
    queryKey: [scope.spaceId, scope.environment, 'holder', providerId, account],
    queryFn: async ({ signal }) =>
      (await call(api.providerKyc.retrieve, [providerId, { accountId: account }], { scope, signal })).data,
    staleTime: Number.POSITIVE_INFINITY,
    enabled: canVerify,
  })
  if (!canVerify) return <>{t.holderUnchecked}</>
  if (error) return <>{statusOf(error) === 404 ? t.holderMissing : t.holderUnknown}</>
  return data ? <strong>{data.account.holderName}</strong> : <span>{t.asking}</span>
}
