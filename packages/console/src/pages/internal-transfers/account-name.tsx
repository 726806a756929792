import { api } from '../../api/client.ts'
import { useRead, useRows } from '../../api/queries.ts'
import { usePermissions } from '../../api/scope.tsx'

const most = 50

/** Returns the most recently opened accounts, with balances if the user may see them. */
export function useAccounts() {
  const withBalance = usePermissions()('balances:read')
  return useRows(api.financialAccounts.list, [{ withBalance, limit: most }])
}

/** Shows the name of an account, or its ID if the name is not available. */
export function AccountName({ id }: { id: string }) {
  const { rows, isLoading } = useAccounts()
  const known = rows.find((account) => account.id === id)
  const { data } = useRead(api.financialAccounts.retrieve, [id], { enabled: !isLoading && !known })
  return <>{known?.name ?? data?.name ?? id}</>
}
