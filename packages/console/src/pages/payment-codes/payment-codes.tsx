import { Link } from 'wouter-preact'
import { api } from '../../api/client.ts'
import { usePermissions } from '../../api/scope.tsx'
import { ListPage } from '../../parts/list-page.tsx'
import { Money, Time } from '../../text/format.tsx'
import { useTexts } from '../../text/languages.tsx'
import { words } from '../../text/words.ts'
import { CodeStatus } from './code-status.tsx'
import { texts } from './texts.ts'

export default function PaymentCodes() {
  const t = useTexts(texts)
  const w = useTexts(words)
  const may = usePermissions()
  return (
    <ListPage
      title={t.codes}
      of={api.paymentCodes.list}
      file="payment-codes.csv"
      empty={t.empty}
      filters={[
        { name: 'q', label: w.search, hint: t.searchHint },
        { name: 'ussd_code', label: t.dial, hint: '*715*…#' },
        { name: 'status', label: w.status, choices: t.statuses },
        { name: 'mode', label: t.mode, choices: t.modes },
        { name: 'from', label: w.from, type: 'date' },
        { name: 'to', label: w.to, type: 'date' },
      ]}
      linkOf={({ id }) => `/payment-codes/${id}`}
      columns={[
        { label: w.name, cell: ({ name }) => name },
        {
          label: w.amount,
          isNumber: true,
          cell: ({ amount }) => (amount ? <Money of={amount} /> : t.open),
        },
        { label: w.status, cell: (code) => <CodeStatus of={code} /> },
        { label: t.dial, cell: ({ ussdCode }) => <code class="number-text">{ussdCode}</code> },
        { label: t.mode, cell: ({ mode }) => t.modes[mode], isExtra: true },
        { label: w.expireTime, cell: ({ expireTime }) => <Time at={expireTime} />, isExtra: true },
      ]}
    >
      {may('payment-codes:write') && (
        <Link class="button main" href="/payment-codes/new">
          {t.create}
        </Link>
      )}
    </ListPage>
  )
}
