import { useState } from 'preact/hooks'
import { api, type ResultOf } from '../../api/client.ts'
import { useRead, useSend } from '../../api/queries.ts'
import { usePermissions } from '../../api/scope.tsx'
import { ReasonField } from '../../parts/confirm.tsx'
import { DialogButton } from '../../parts/dialog.tsx'
import { FormDialog, TextField } from '../../parts/form.tsx'
import { ErrorNotice } from '../../parts/notices.tsx'
import { Table } from '../../parts/table.tsx'
import { Money } from '../../text/format.tsx'
import { useTexts } from './texts.ts'

type Fee = ResultOf<typeof api.installation.spaces.fees>['fees'][number]

export function SpaceFees({ id }: { id: string }) {
  const t = useTexts()
  const may = usePermissions()
  const { data, error } = useRead(api.installation.spaces.fees, [id])
  return (
    <section>
      <h2>{t.fees}</h2>
      <ErrorNotice error={error} />
      {data && (
        <Table
          label={t.fees}
          rows={data.fees}
          keyOf={({ code }) => code}
          columns={[
            { label: t.fee, cell: ({ code }) => t.feeOf[code] },
            { label: t.rule, cell: ({ rule }) => rule },
            may('installation:write') && {
              label: t.change,
              cell: (fee) => (
                <DialogButton label={t.change} about={t.feeOf[fee.code]}>
                  {(close) => <FeeDialog id={id} fee={fee} onClose={close} />}
                </DialogButton>
              ),
            },
          ]}
        />
      )}
    </section>
  )
}

function FeeDialog({ id, fee, onClose }: { id: string; fee: Fee; onClose(): void }) {
  const t = useTexts()
  const [rule, setRule] = useState(fee.rule)
  const [previewed, preview] = useState<string>()
  const send = useSend(api.installation.spaces.setFees)
  return (
    <FormDialog
      title={`${t.changeFee} · ${t.feeOf[fee.code]}`}
      action={t.change}
      send={send}
      read={(form) => [id, { code: fee.code, rule, ...form.reason() }]}
      onClose={onClose}
    >
      <TextField
        name="rule"
        label={t.rule}
        hint={t.ruleHint}
        max={200}
        isRequired
        initial={fee.rule}
        onType={(typed) => setRule(typed.trim())}
      />
      {fee.code === 'payment' && (
        <p>
          <button type="button" class="quiet" onClick={() => preview(rule)}>
            {t.preview}
          </button>
        </p>
      )}
      {previewed && <Preview id={id} rule={previewed} />}
      <ReasonField />
    </FormDialog>
  )
}

function Preview({ id, rule }: { id: string; rule: string }) {
  const t = useTexts()
  const { data, error } = useRead(api.installation.spaces.feePreview, [id, { rule }])
  if (error) return <ErrorNotice error={error} />
  if (!data) return null
  return (
    <Table
      label={t.previewTitle}
      rows={data.sums}
      keyOf={({ collected }) => collected.currency}
      columns={[
        { label: t.currency, cell: ({ collected }) => collected.currency },
        { label: t.was, cell: ({ charged }) => <Money of={charged} />, isNumber: true },
        { label: t.wouldBe, cell: ({ wouldBe }) => <Money of={wouldBe} />, isNumber: true },
      ]}
    />
  )
}
