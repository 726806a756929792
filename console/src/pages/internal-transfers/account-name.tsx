import { useRead, useRows } from '../../api/queries.ts'
import { useMay } from '../../api/scope.tsx'

const most = 50

/** The accounts that were opened last, with their balances where those may be seen. */
export function useAccounts() {
  const withBalance = useMay()('balances:read')
  return useRows('GET /v1/financial-accounts', { query: { withBalance, limit: most } })
}

/** An account as people call it. */
export function AccountName({ id }: { id: string }) {
  const { rows, isLoading } = useAccounts()
  const known = rows.find((account) => account.id === id)
  const { data } = useRead(
    'GET /v1/financial-accounts/{id}',
    { path: { id } },
    { enabled: !isLoading && !known },
  )
  return <>{known?.name ?? data?.name ?? id}</>
}
