import { api } from '../../api/client.ts'
import { useRows } from '../../api/queries.ts'
import { MoreLink, PageLink } from '../../parts/links.tsx'
import { ErrorNotice, Loading } from '../../parts/notices.tsx'
import { Section } from '../../parts/page.tsx'
import { Money, useMoney } from '../../text/format.tsx'
import { useTexts } from './texts.ts'

const shownAccounts = 6

/** Shows the balances of the most recently opened accounts. */
export function Balances() {
  const t = useTexts()
  const money = useMoney()
  const query = { withBalance: true, limit: shownAccounts }
  const { rows, isLoading, error } = useRows(api.financialAccounts.list, [query])
  if (!isLoading && !error && rows.length === 0) return null
  return (
    <Section title={t.balances} more={<MoreLink to="/financial-accounts" />}>
      {isLoading && <Loading isTable />}
      <ErrorNotice error={error} />
      <ul class="cards">
        {rows.map(({ id, name, balance }) => (
          <li class="card" key={id}>
            <PageLink to={`/financial-accounts/${id}`}>{name}</PageLink>
            {balance && (
              <>
                <p class="figure">
                  <Money of={balance.available} />
                </p>
                {balance.held.value > 0 && <p class="muted">{t.held(money(balance.held))}</p>}
              </>
            )}
          </li>
        ))}
      </ul>
    </Section>
  )
}
