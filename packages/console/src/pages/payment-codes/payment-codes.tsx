import { api } from '../../api/client.ts'
import { ListPage } from '../../parts/list-page.tsx'
import { Money, Time } from '../../text/format.tsx'
import { CodeStatus } from './code-status.tsx'
import { useTexts } from './texts.ts'

export default function PaymentCodes() {
  const t = useTexts()
  return (
    <ListPage
      page="/payment-codes"
      of={api.paymentCodes.list}
      file="payment-codes"
      empty={t.empty}
      filters={[
        { name: 'q', label: t.search, hint: t.searchHint },
        { name: 'ussd_code', label: t.dial, hint: '*715*…#' },
        { name: 'status', label: t.status, choices: t.statuses },
        { name: 'mode', label: t.type, choices: t.modes },
      ]}
      isDated
      columns={[
        { label: t.name, cell: ({ name }) => name },
        {
          label: t.amount,
          isNumber: true,
          cell: ({ amount }) => (amount ? <Money of={amount} /> : t.enteredByPayer),
        },
        { label: t.status, cell: (code) => <CodeStatus of={code} /> },
        { label: t.dial, cell: ({ ussdCode }) => <code class="number-text">{ussdCode}</code> },
        { label: t.type, cell: ({ mode }) => t.modes[mode], isExtra: true },
        { label: t.expireTime, cell: ({ expireTime }) => <Time at={expireTime} />, isExtra: true },
      ]}
      create={t.create}
    />
  )
}
