import { useLocation } from 'wouter-preact'
import { api } from '../../api/client.ts'
import { usePermissions } from '../../api/scope.tsx'
import { ConfirmButton } from '../../parts/confirm.tsx'
import { useCurrency } from '../../parts/currency.tsx'
import { ListPage } from '../../parts/list-page.tsx'
import { Money } from '../../text/format.tsx'
import { AccountFields, namesIn } from './account-fields.tsx'
import { useTexts } from './texts.ts'

export default function FinancialAccounts() {
  const t = useTexts()
  const may = usePermissions()
  return (
    <ListPage
      page="/financial-accounts"
      of={api.financialAccounts.list}
      query={{ withBalance: may('balances:read') }}
      columns={[
        { label: t.name, cell: ({ name }) => name },
        {
          label: t.available,
          isNumber: true,
          cell: ({ balance, currency }) => (balance ? <Money of={balance.available} /> : currency),
        },
        {
          label: t.held,
          isNumber: true,
          isExtra: true,
          cell: ({ balance }) => balance && <Money of={balance.held} />,
        },
        { label: t.uvan, isExtra: true, cell: ({ uvan }) => <code>{uvan}</code> },
        { label: t.reference, isExtra: true, cell: ({ reference }) => reference },
      ]}
    >
      {may('financial-accounts:write') && <OpenAccount />}
    </ListPage>
  )
}

function OpenAccount() {
  const t = useTexts()
  const [, navigate] = useLocation()
  const [currency, currencyField] = useCurrency()
  return (
    <ConfirmButton
      call={api.financialAccounts.create}
      args={(form) => [{ ...namesIn(form), currency }]}
      action={t.create}
      title={t.createTitle}
      isDangerous={false}
      onSent={({ id }) => navigate(`/financial-accounts/${id}`)}
    >
      <AccountFields />
      {currencyField}
    </ConfirmButton>
  )
}
