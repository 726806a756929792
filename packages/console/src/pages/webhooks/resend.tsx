import { api } from '../../api/client.ts'
import { ConfirmButton } from '../../parts/confirm.tsx'
import { ChoiceField } from '../../parts/form.tsx'
import type { FormReader } from '../../parts/form-reader.ts'
import { useTexts } from './texts.ts'

const hourMs = 3_600_000
const periods = { '1d': 24, '3d': 72, '7d': 168, '30d': 720 } as const
type Period = keyof typeof periods

/** A button that resends all events of a period that have not been delivered. */
export function ResendButton({ id, isMain, onSent }: { id: string; isMain: boolean; onSent(): void }) {
  const t = useTexts()
  const choices = Object.fromEntries(Object.keys(periods).map((key) => [key, t.durations[key as Period]]))
  const read = (form: FormReader) =>
    [
      id,
      { since: startOf(form.choice<Period>('period')), status: form.has('all') ? 'all' : 'failed' },
    ] as const
  return (
    <ConfirmButton
      call={api.webhooks.redeliver}
      args={read}
      action={t.resendAll}
      submit={t.resend}
      isDangerous={false}
      class={isMain ? 'main' : ''}
      onSent={onSent}
    >
      <p>{t.resendAllText}</p>
      <ChoiceField label={t.period} name="period" choices={choices} initial="30d" />
      <label class="choice">
        <input type="checkbox" name="all" /> {t.includeDelivered}
      </label>
    </ConfirmButton>
  )
}

/** Returns the start of a period. It is a full hour, so that a retry sends the same command. */
const startOf = (period: Period) =>
  new Date((Math.floor(Date.now() / hourMs) - periods[period]) * hourMs).toISOString()
