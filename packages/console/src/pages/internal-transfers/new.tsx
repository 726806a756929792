import { useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import { api } from '../../api/client.ts'
import { useSend } from '../../api/queries.ts'
import { AmountField, ChoiceField, PageForm, TextField } from '../../parts/form.tsx'
import type { FormReader } from '../../parts/form-reader.ts'
import { PageLink } from '../../parts/links.tsx'
import { ErrorNotice, Loading } from '../../parts/notices.tsx'
import { PageHead } from '../../parts/page.tsx'
import { useMoney } from '../../text/format.tsx'
import { useAccounts } from './account-name.tsx'
import { useTexts } from './texts.ts'

type Account = ReturnType<typeof useAccounts>['rows'][number]

/** The page for transferring money between two accounts in the same currency. */
export default function NewInternalTransfer() {
  const t = useTexts()
  const { rows, isLoading, error } = useAccounts()
  const pairs = rows.filter((one) =>
    rows.some((other) => other.id !== one.id && other.currency === one.currency),
  )
  return (
    <>
      <PageHead title={t.createTitle} above="/internal-transfers" />
      <ErrorNotice error={error} />
      {isLoading && <Loading />}
      {!isLoading && !error && pairs.length === 0 && (
        <p class="empty">
          {t.onlyOne} <PageLink to="/financial-accounts">{t.accounts}</PageLink>
        </p>
      )}
      {pairs.length > 0 && <TransferForm accounts={pairs} />}
    </>
  )
}

function TransferForm({ accounts }: { accounts: Account[] }) {
  const t = useTexts()
  const money = useMoney()
  const [, navigate] = useLocation()
  const [sourceId, setSourceId] = useState(accounts[0]?.id ?? '')
  const send = useSend(api.internalTransfers.create)
  const source = accounts.find(({ id }) => id === sourceId)
  const currency = source?.currency ?? ''
  const names = (some: Account[]) =>
    Object.fromEntries(some.map(({ id, name, currency }) => [id, `${name} (${currency})`]))
  const others = accounts.filter((one) => one.id !== sourceId && one.currency === currency)
  const read = (form: FormReader) => {
    const executeTime = form.time('executeTime')
    const body = {
      amount: form.amount('amount', currency),
      sourceFinancialAccount: { id: sourceId },
      destinationFinancialAccount: { id: form.text('destination') },
      description: form.textOrNull('description'),
      ...(executeTime && { executeTime }),
    }
    return [body] as const
  }
  return (
    <PageForm
      action={t.create}
      send={send}
      read={read}
      onSent={({ id }) => navigate(`/internal-transfers/${id}`, { replace: true })}
    >
      <ChoiceField
        name="source"
        at="sourceFinancialAccount.id"
        label={t.source}
        hint={source?.balance && t.available(money(source.balance.available))}
        choices={names(accounts)}
        initial={sourceId}
        onChange={setSourceId}
      />
      <ChoiceField
        // The field is recreated when the source account changes, because its options depend on that account.
        key={currency + sourceId}
        name="destination"
        at="destinationFinancialAccount.id"
        label={t.destination}
        choices={names(others)}
      />
      <AmountField name="amount" at="amount.value" label={t.amountIn(currency)} isRequired />
      <TextField name="description" label={t.statementText} max={255} />
      <TextField name="executeTime" label={t.executeTime} hint={t.executeHint} type="datetime-local" />
    </PageForm>
  )
}
