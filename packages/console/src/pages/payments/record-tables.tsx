import { useRef } from 'preact/hooks'
import { api } from '../../api/client.ts'
import { rowsOf, useRead, useRows } from '../../api/queries.ts'
import { CopyButton } from '../../parts/copy.tsx'
import { useEventSentence } from '../../parts/events.tsx'
import { Status } from '../../parts/status.tsx'
import { PagedTable } from '../../parts/table.tsx'
import { Time } from '../../text/format.tsx'
import type { Payment } from './origin.ts'
import { usePaymentTexts } from './payment-texts.ts'

export type RecordProps = { of: keyof typeof tables; payment: Payment }

const pageSize = 25
const tables = { events: EventRows, deliveries: DeliveryRows, requests: RequestRows, json: Json }

/** The content of a tab of a payment. */
export default function RecordTable({ of, payment }: RecordProps) {
  const Table = tables[of]
  return <Table payment={payment} />
}

function EventRows({ payment }: { payment: Payment }) {
  const t = usePaymentTexts()
  const sentenceOf = useEventSentence()
  return (
    <PagedTable
      read={useRows(api.events.list, [{ objectId: payment.id, limit: pageSize }])}
      linkOf={({ id }) => `/events/${id}`}
      columns={[
        { label: t.event, cell: ({ type }) => type },
        { label: t.description, isExtra: true, cell: ({ type }) => sentenceOf(type) },
        { label: t.time, cell: ({ timestamp }) => <Time at={timestamp} isExact /> },
      ]}
    />
  )
}

/** The deliveries are those of the history, because the API lists deliveries only for each webhook. */
function DeliveryRows({ payment }: { payment: Payment }) {
  const t = usePaymentTexts()
  const read = useRead(api.payments.caseFile, [payment.id])
  return (
    <PagedTable
      read={rowsOf(read, ({ entries }) => entries.filter(({ kind }) => kind === 'delivery'))}
      empty={t.noDeliveries}
      keyOf={({ deliveryId = '' }) => deliveryId}
      linkOf={({ deliveryId }) => `/deliveries/${deliveryId}`}
      columns={[
        { label: t.event, cell: ({ eventType }) => eventType },
        { label: t.status, cell: ({ status = '' }) => <Status of={status} /> },
        { label: t.webhook, cell: ({ webhookName }) => webhookName },
        { label: t.response, isExtra: true, cell: ({ statusCode }) => statusCode ?? t.noResponse },
        { label: t.attempts, isNumber: true, isExtra: true, cell: ({ tries }) => tries },
        { label: t.time, cell: ({ time }) => <Time at={time} isExact /> },
      ]}
    />
  )
}

function RequestRows({ payment }: { payment: Payment }) {
  const t = usePaymentTexts()
  const pathPrefix = `/v1/payments/${payment.id}`
  return (
    <>
      <p class="hint muted">{t.requestsHint}</p>
      <PagedTable
        read={useRows(api.requests.list, [{ pathPrefix, limit: pageSize }])}
        empty={t.noRequests}
        linkOf={({ id }) => `/requests/${id}`}
        columns={[
          {
            label: t.request,
            cell: ({ method, path }) => `${method} ${path.replace(payment.id, '…')}`,
          },
          { label: t.status, isNumber: true, cell: ({ status }) => status },
          { label: t.reason, isExtra: true, cell: ({ reason }) => reason && <code>{reason}</code> },
          { label: t.duration, isNumber: true, isExtra: true, cell: ({ durationMs }) => `${durationMs} ms` },
          { label: t.time, cell: ({ timestamp }) => <Time at={timestamp} isExact /> },
        ]}
      />
    </>
  )
}

function Json({ payment }: { payment: Payment }) {
  const t = usePaymentTexts()
  const shown = useRef<HTMLPreElement>(null)
  const text = JSON.stringify(payment, numberOf, 2)
  return (
    <>
      <p class="actions">
        <CopyButton text={text} shown={shown} about="" class="quiet" label={t.copyJson} />
      </p>
      <pre ref={shown}>{text}</pre>
    </>
  )
}

/** JSON has no bigints. The largest amounts are shown as text. */
const numberOf = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)
