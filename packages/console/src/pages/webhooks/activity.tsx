import type { api, ResultOf } from '../../api/client.ts'
import { Facts, Section } from '../../parts/page.tsx'
import { Table } from '../../parts/table.tsx'
import { Time, useDayFormat } from '../../text/format.tsx'
import { useLanguage } from '../../text/languages.tsx'
import { Outcome } from './outcome.tsx'
import { useTexts } from './texts.ts'
import './webhooks.css'

type Webhook = ResultOf<typeof api.webhooks.list>[number]
type Day = NonNullable<Webhook['lastDay']>

/**
 * The attempts of the last day, with one tick per hour. Ticks also differ in height, for people who cannot tell the
 * colors apart.
 */
export function Ticks({ of: { hours, delivered, failed }, isLarge }: { of: Day; isLarge?: boolean }) {
  const t = useTexts()
  const hourOf = useDayFormat()
  return (
    <span class={isLarge ? 'ticks large' : 'ticks'} role="img" aria-label={t.dayOf(delivered, failed)}>
      {hours.map((hour) => (
        <i
          key={hour.time}
          class={toneOf(hour)}
          title={`${hourOf(hour.time)} · ${isEmpty(hour) ? t.nothingSent : t.dayOf(hour.delivered, hour.failed)}`}
        />
      ))}
    </span>
  )
}

type Hour = Pick<Day['hours'][number], 'delivered' | 'failed'>

const isEmpty = ({ delivered, failed }: Hour) => delivered + failed === 0

const toneOf = (hour: Hour) => {
  if (isEmpty(hour)) return 'idle'
  if (hour.failed === 0) return 'good'
  return hour.delivered === 0 ? 'bad' : 'mixed'
}

/** The success rate of a day. It is rounded down, so that 100% means that nothing failed. */
export function SuccessRate({ of: { successRate } }: { of: Day }) {
  const t = useTexts()
  const { language } = useLanguage()
  if (successRate === null) return <span class="muted">{t.nothingSent}</span>
  const shown = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 })
  return <span class="number-text">{shown.format(Math.floor(successRate * 1_000) / 1_000)}</span>
}

/** The attempts of a webhook's last day: as ticks, in figures and hour by hour. */
export function LastDay({ of: webhook }: { of: Webhook }) {
  const t = useTexts()
  const { lastDay, failingSinceTime } = webhook
  if (!lastDay) return null
  const { delivered, failed, lastError, hours } = lastDay
  return (
    <Section title={t.lastDay}>
      <div class="card">
        <Ticks of={lastDay} isLarge />
        <p class="ends muted">
          <Time at={hours[0]?.time} />
          <Time at={hours.at(-1)?.time} />
        </p>
        <Facts
          of={[
            [t.successRate, <SuccessRate of={lastDay} />],
            [t.delivered, String(delivered)],
            [t.failed, String(failed)],
            [t.failingFrom, failingSinceTime && <Time at={failingSinceTime} />],
            [t.lastError, lastError ? <LastError of={lastError} /> : t.noErrors],
          ]}
        />
        {delivered + failed > 0 && (
          <details>
            <summary>{t.byHour}</summary>
            <Table
              label={t.byHour}
              rows={hours.filter((hour) => !isEmpty(hour)).reverse()}
              keyOf={({ time }) => time}
              columns={[
                { label: t.hour, cell: ({ time }) => <Time at={time} /> },
                { label: t.delivered, isNumber: true, cell: (hour) => hour.delivered },
                { label: t.failed, isNumber: true, cell: (hour) => hour.failed },
              ]}
            />
          </details>
        )}
      </div>
    </Section>
  )
}

/** The response of the last failed attempt and its time. */
export function LastError({ of: error }: { of: NonNullable<Day['lastError']> }) {
  return (
    <>
      <Outcome of={error} /> <Time at={error.time} />
    </>
  )
}
