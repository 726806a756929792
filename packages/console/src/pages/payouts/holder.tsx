import { api } from '../../api/client.ts'
import { statusOf } from '../../api/errors.ts'
import { useRead } from '../../api/queries.ts'
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
  const { data, error } = useRead(api.providerKyc.retrieve, [provider.providerId, { accountId: account }], {
    enabled: canVerify,
    isConstant: true,
  })
  if (!canVerify) return <>{t.holderUnchecked}</>
  if (error) return <>{statusOf(error) === 404 ? t.holderMissing : t.holderUnknown}</>
  return data ? <strong>{data.account.holderName}</strong> : <span>{t.asking}</span>
}
