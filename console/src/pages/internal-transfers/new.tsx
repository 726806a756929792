import { useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import { api } from '../../api/client.ts'
import { issueAt } from '../../api/errors.ts'
import { useSend } from '../../api/queries.ts'
import { ChoiceField, Field, PageForm, TextField } from '../../parts/form.tsx'
import { PageLink } from '../../parts/links.tsx'
import { ErrorNotice, Loading } from '../../parts/notices.tsx'
import { PageHead } from '../../parts/page.tsx'
import { parseMoney, useMoney } from '../../text/format.tsx'
import { useTexts } from '../../text/languages.tsx'
import { useAccounts } from './account-name.tsx'
import { texts } from './texts.ts'

type Account = ReturnType<typeof useAccounts>['rows'][number]

/** The page for transferring money between two accounts in the same currency. */
export default function NewInternalTransfer() {
  const t = useTexts(texts)
  const { rows, isLoading, error } = useAccounts()
  const pairs = rows.filter((one) =>
    rows.some((other) => other.id !== one.id && other.currency === one.currency),
  )
  return (
    <>
      <PageHead title={t.createTitle} above={{ title: t.transfers, path: '/internal-transfers' }} />
      <ErrorNotice error={error} />
      {isLoading && <Loading />}
      {!isLoading && !error && pairs.length === 0 && (
        <p class="empty">
          {t.onlyOne}{' '}
          <PageLink to="/financial-accounts" page="/financial-accounts">
            {t.accounts}
          </PageLink>
        </p>
      )}
      {pairs.length > 0 && <TransferForm accounts={pairs} />}
    </>
  )
}

function TransferForm({ accounts }: { accounts: Account[] }) {
  const t = useTexts(texts)
  const money = useMoney()
  const [, navigate] = useLocation()
  const [sourceId, setSourceId] = useState(accounts[0]?.id ?? '')
  const [isAmountBad, setAmountBad] = useState(false)
  const send = useSend(api.internalTransfers.create)
  const source = accounts.find(({ id }) => id === sourceId)
  const currency = source?.currency ?? ''
  const names = (some: Account[]) =>
    Object.fromEntries(some.map(({ id, name, currency }) => [id, `${name} (${currency})`]))
  const others = accounts.filter((one) => one.id !== sourceId && one.currency === currency)
  const submit = (fields: FormData) => {
    const text = (name: string) => String(fields.get(name) ?? '').trim()
    const value = parseMoney(text('amount'), currency)
    setAmountBad(value === undefined)
    if (value === undefined) return
    const body = {
      amount: { currency, value },
      sourceFinancialAccount: { id: sourceId },
      destinationFinancialAccount: { id: text('destination') },
      description: text('description') || null,
      ...(text('executeTime') && { executeTime: new Date(text('executeTime')).toISOString() }),
    }
    send.mutate([body], { onSuccess: ({ id }) => navigate(`/internal-transfers/${id}`, { replace: true }) })
  }
  const issueOf = (param: string) => issueAt(send.error, param)
  return (
    <PageForm action={t.create} isBusy={send.isPending} error={send.error} onSubmit={submit}>
      <ChoiceField
        name="source"
        label={t.source}
        hint={source?.balance && t.available(money(source.balance.available))}
        choices={names(accounts)}
        initial={sourceId}
        onChange={setSourceId}
        issue={issueOf('sourceFinancialAccount.id')}
      />
      <ChoiceField
        // The field is recreated when the source account changes, because its options depend on that account.
        key={currency + sourceId}
        name="destination"
        label={t.destination}
        choices={names(others)}
        issue={issueOf('destinationFinancialAccount.id')}
      />
      <TextField
        name="amount"
        label={t.amountIn(currency)}
        max={24}
        inputMode="decimal"
        isRequired
        issue={isAmountBad ? t.notAnAmount : issueOf('amount.value')}
      />
      <TextField name="description" label={t.statementText} max={255} issue={issueOf('description')} />
      <Field label={t.executeTime} hint={t.executeHint} issue={issueOf('executeTime')}>
        {(controls) => <input {...controls} type="datetime-local" name="executeTime" />}
      </Field>
    </PageForm>
  )
}
