import { useParams } from 'wouter-preact'
import { api, type ResultOf } from '../../api/client.ts'
import { useRead, useRows } from '../../api/queries.ts'
import { usePermissions } from '../../api/scope.tsx'
import { ConfirmButton } from '../../parts/confirm.tsx'
import { CopyText } from '../../parts/copy.tsx'
import { ErrorPage } from '../../parts/dead-end.tsx'
import { LineKind } from '../../parts/line-kind.tsx'
import { Loading } from '../../parts/notices.tsx'
import { Facts, PageHead, Section } from '../../parts/page.tsx'
import { PagedTable } from '../../parts/table.tsx'
import { Money, Time } from '../../text/format.tsx'
import { AccountFields, namesIn } from './account-fields.tsx'
import { Statement } from './statement.tsx'
import { useTexts } from './texts.ts'

type Account = ResultOf<typeof api.financialAccounts.retrieve>
export default function FinancialAccountPage() {
  const { id = '' } = useParams()
  const withBalance = usePermissions()('balances:read')
  const { data, error } = useRead(api.financialAccounts.retrieve, [id, { withBalance }])
  if (error) return <ErrorPage error={error} />
  return data ? <Shown account={data} /> : <Loading />
}

function Shown({ account }: { account: Account }) {
  const t = useTexts()
  const may = usePermissions()
  const { balance } = account
  return (
    <>
      <PageHead title={account.name} above="/financial-accounts">
        {may('financial-accounts:write') && (
          <ConfirmButton
            call={api.financialAccounts.update}
            args={(form) => [account.id, namesIn(form)]}
            action={t.edit}
            submit={t.save}
            title={t.editTitle}
            isDangerous={false}
            class=""
          >
            <AccountFields account={account} />
          </ConfirmButton>
        )}
      </PageHead>
      <Facts
        of={[
          [t.available, balance && <Money of={balance.available} />],
          [t.held, balance && <Money of={balance.held} />],
          [t.uvan, <CopyText text={account.uvan} />],
          [t.reference, account.reference],
          [t.description, account.description],
          [t.createTime, <Time at={account.createTime} />],
          [t.id, <CopyText text={account.id} />],
        ]}
      />
      {may('balances:read') && may('financial-transactions:read') && <Statement account={account} />}
      {may('balances:read') && <Holds account={account} />}
    </>
  )
}

function Holds({ account }: { account: Account }) {
  const t = useTexts()
  const read = useRows(api.financialAccounts.holds, [account.id, { limit: 10 }])
  if (read.rows.length === 0) return null
  return (
    <Section title={t.holds}>
      <PagedTable
        read={read}
        columns={[
          {
            label: t.whatFor,
            cell: ({ ownershipGraph: { owner } }) => <LineKind owner={owner} />,
          },
          { label: t.amount, isNumber: true, cell: ({ amount }) => <Money of={amount} /> },
          { label: t.expireTime, isExtra: true, cell: ({ expireTime }) => <Time at={expireTime} /> },
          { label: t.time, cell: ({ createTime }) => <Time at={createTime} /> },
        ]}
      />
    </Section>
  )
}
