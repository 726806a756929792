import { useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import { api } from '../../api/client.ts'
import { useRows, useSend } from '../../api/queries.ts'
import { usePermissions } from '../../api/scope.tsx'
import { CurrencyField, useCurrencies } from '../../parts/currency.tsx'
import { FormDialog } from '../../parts/form.tsx'
import { PageHead } from '../../parts/page.tsx'
import { PagedTable } from '../../parts/table.tsx'
import { Money } from '../../text/format.tsx'
import { useTexts } from '../../text/languages.tsx'
import { AccountFields, namesIn } from './account-fields.tsx'
import { texts } from './texts.ts'

export default function FinancialAccounts() {
  const t = useTexts(texts)
  const may = usePermissions()
  const [isOpening, setOpening] = useState(false)
  const withBalance = may('balances:read')
  const read = useRows(api.financialAccounts.list, [{ withBalance, limit: 25 }])
  return (
    <>
      <PageHead title={t.accounts}>
        {may('financial-accounts:write') && (
          <button type="button" class="main" onClick={() => setOpening(true)}>
            {t.create}
          </button>
        )}
      </PageHead>
      <PagedTable
        label={t.accounts}
        read={read}
        keyOf={({ id }) => id}
        linkOf={({ id }) => `/financial-accounts/${id}`}
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
      />
      {isOpening && <OpenDialog onClose={() => setOpening(false)} />}
    </>
  )
}

function OpenDialog({ onClose }: { onClose(): void }) {
  const t = useTexts(texts)
  const [, navigate] = useLocation()
  const [first = 'USD'] = useCurrencies()
  const [currency, setCurrency] = useState(first)
  const send = useSend(api.financialAccounts.create)
  const submit = (fields: FormData) =>
    send.mutate([{ ...namesIn(fields), currency }], {
      onSuccess: ({ id }) => navigate(`/financial-accounts/${id}`),
    })
  return (
    <FormDialog
      title={t.createTitle}
      action={t.create}
      isBusy={send.isPending}
      error={send.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <AccountFields error={send.error} />
      <CurrencyField label={t.currency} initial={currency} onChange={setCurrency} />
    </FormDialog>
  )
}
