import { Link } from 'wouter-preact'
import { api, type ResultOf } from '../../api/client.ts'
import { useSend } from '../../api/queries.ts'
import { usePermissions } from '../../api/scope.tsx'
import { CopyText } from '../../parts/copy.tsx'
import { ErrorNotice } from '../../parts/notices.tsx'
import { objectPage } from '../../parts/object-page.tsx'
import { Facts, PageHead } from '../../parts/page.tsx'
import { Time } from '../../text/format.tsx'
import { DeliveryStatus } from './delivery-status.tsx'
import { useTexts } from './texts.ts'

export default objectPage(api.deliveries.retrieve, Delivery)

function Delivery({ of: delivery }: { of: ResultOf<typeof api.deliveries.retrieve> }) {
  const t = useTexts()
  const may = usePermissions()
  const send = useSend(api.deliveries.redeliver)
  return (
    <>
      <PageHead
        title={delivery.eventType}
        above={{ title: t.deliveries, path: `/webhooks/${delivery.webhookId}` }}
      >
        {may('webhooks:resend') && delivery.status !== 'pending' && (
          <button
            type="button"
            class="main"
            disabled={send.isPending}
            onClick={() => send.mutate([delivery.id])}
          >
            {t.redeliver}
          </button>
        )}
      </PageHead>
      {send.isSuccess && (
        <p class="notice good" role="status">
          {t.redelivered}
        </p>
      )}
      <ErrorNotice error={send.error} />
      <Facts
        of={[
          [t.status, <DeliveryStatus of={delivery} />],
          [t.time, <Time at={delivery.createTime} />],
          [t.next, delivery.nextAttemptTime && <Time at={delivery.nextAttemptTime} />],
          [t.event, <Link href={`/events/${delivery.eventId}`}>{delivery.eventId}</Link>],
          [t.delivery, <CopyText text={delivery.id} />],
        ]}
      />
      <section>
        <h2>{t.attempts}</h2>
        {delivery.attempts.map((attempt) => (
          <div class="card" key={attempt.time}>
            <p>
              <Time at={attempt.time} /> · {attempt.statusCode ?? attempt.error} · {attempt.durationMs} ms
            </p>
            {attempt.responseBody && <pre>{attempt.responseBody}</pre>}
          </div>
        ))}
      </section>
    </>
  )
}
