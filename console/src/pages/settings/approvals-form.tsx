import { useState } from 'preact/hooks'
import { useCurrencies } from '../../parts/currency.tsx'
import { TextField } from '../../parts/form.tsx'
import { parseMoney } from '../../text/format.tsx'
import { useTexts } from '../../text/languages.tsx'
import { typedMoney } from '../../text/money.ts'
import { words } from '../../text/words.ts'
import { PartForm, type PartProps, useChange } from './part-form.tsx'
import { texts } from './texts.ts'

const kinds = ['payoutApprovalAbove', 'refundApprovalAbove'] as const
type Kind = (typeof kinds)[number]

/** Above which amounts another member approves. Of other currencies than the Space's own those that have a limit. */
export function ApprovalsForm({ settings, isFixed }: PartProps) {
  const t = useTexts(texts)
  const w = useTexts(words)
  const send = useChange()
  const [first = 'USD'] = useCurrencies()
  const [faulty, setFaulty] = useState<string[]>([])
  const currencies = (kind: Kind) => [...new Set([first, ...settings[kind].map(({ currency }) => currency)])]
  const read = (fields: FormData) => {
    const bad: string[] = []
    const limitsOf = (kind: Kind) =>
      currencies(kind).flatMap((currency) => {
        const name = `${kind} ${currency}`
        const text = String(fields.get(name) ?? '').trim()
        if (text === '') return []
        const value = /^0+([.,]0+)?$/.test(text) ? 0 : parseMoney(text, currency)
        if (value === undefined) bad.push(name)
        return [{ currency, value: value ?? 0 }]
      })
    const body = {
      payoutApprovalAbove: limitsOf('payoutApprovalAbove'),
      refundApprovalAbove: limitsOf('refundApprovalAbove'),
    }
    setFaulty(bad)
    return bad.length === 0 ? body : undefined
  }
  const labels = { payoutApprovalAbove: t.payoutsAbove, refundApprovalAbove: t.refundsAbove }
  return (
    <PartForm isFixed={isFixed} send={send} read={read}>
      <p class="hint">{t.approvalsHint}</p>
      {kinds.map((kind) =>
        currencies(kind).map((currency) => {
          const limit = settings[kind].find((one) => one.currency === currency)
          const name = `${kind} ${currency}`
          return (
            <TextField
              key={name}
              name={name}
              label={labels[kind](currency)}
              max={24}
              inputMode="decimal"
              initial={limit ? typedMoney(limit) : ''}
              fault={faulty.includes(name) ? w.notAnAmount : undefined}
            />
          )
        }),
      )}
    </PartForm>
  )
}
