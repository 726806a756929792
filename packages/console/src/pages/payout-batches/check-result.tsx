import type { api, ResultOf } from '../../api/client.ts'
import { Section } from '../../parts/page.tsx'
import { PayoutWarnings } from '../../parts/payout-warnings.tsx'
import { Table } from '../../parts/table.tsx'
import { useMoney } from '../../text/format.tsx'
import { useTexts } from './texts.ts'

export type CheckedBatch = ResultOf<typeof api.payoutBatches.check>

/** Shows the totals of a checked batch and the rows that have errors or warnings. */
export function CheckResult({ of }: { of: CheckedBatch }) {
  const t = useTexts()
  const invalidRows = of.rows.filter(({ ok }) => !ok)
  const noted = of.rows.filter(({ ok, warnings }) => !ok || warnings.length > 0)
  return (
    <Section title={t.checked}>
      <div class={of.ok ? 'notice good' : 'notice bad'} role="status">
        <p>{of.ok ? t.allValid : t.someInvalid(invalidRows.length)}</p>
      </div>
      {of.ok && <Totals of={of} />}
      {noted.length > 0 && (
        <Table
          label={t.issues}
          rows={noted}
          keyOf={({ number }) => String(number)}
          columns={[
            { label: t.row, cell: ({ number }) => number },
            {
              label: t.issues,
              cell: ({ faults, warnings }) => (
                <>
                  {faults.map(({ param, errors }) => (
                    <p class="fault" key={param}>
                      {param}: {errors.join('; ')}
                    </p>
                  ))}
                  <PayoutWarnings of={warnings} />
                </>
              ),
            },
          ]}
        />
      )}
    </Section>
  )
}

function Totals({ of: { totals, approvalRequired } }: { of: CheckedBatch }) {
  const t = useTexts()
  const money = useMoney()
  const isShort = totals.some(({ availableAfter }) => availableAfter && availableAfter.value < 0)
  return (
    <>
      <ul>
        {totals.map(({ amount, fees, availableAfter }) => (
          <li key={amount.currency}>
            {money(amount)}, {money(fees)} {t.fees}
            {availableAfter && `, ${money(availableAfter)} ${t.availableAfter}`}
          </li>
        ))}
      </ul>
      {isShort && <p class="fault">{t.tooLittle}</p>}
      <p>{approvalRequired ? t.needsApproval : t.paysAtOnce}</p>
    </>
  )
}
