import { useState } from 'preact/hooks'
import { api, type ResultOf } from '../../api/client.ts'
import { useSend } from '../../api/queries.ts'
import { usePermissions } from '../../api/scope.tsx'
import { CopyText } from '../../parts/copy.tsx'
import { PageLink } from '../../parts/links.tsx'
import { ErrorNotice } from '../../parts/notices.tsx'
import { objectPage } from '../../parts/object-page.tsx'
import { Facts, PageHead, Section } from '../../parts/page.tsx'
import { Time } from '../../text/format.tsx'
import { AttemptCard } from './attempt.tsx'
import { DeliveryStatus, isResendable } from './delivery-status.tsx'
import { isAccepted, useReason } from './outcome.tsx'
import { RequestView } from './request.tsx'
import { useTexts } from './texts.ts'
import './webhooks.css'

// The delivery is polled while it is pending, because no event is published when it is attempted.
export default objectPage(api.deliveries.retrieve, DeliveryView, {
  isMoving: ({ status }) => status === 'pending',
})

type Delivery = ResultOf<typeof api.deliveries.retrieve>

function DeliveryView({ of: delivery }: { of: Delivery }) {
  const t = useTexts()
  const may = usePermissions()
  const send = useSend(api.deliveries.redeliver)
  const latest = delivery.attempts.at(-1)
  const [resentAfter, setResentAfter] = useState<string>()
  const isWaiting = send.isSuccess && latest?.time === resentAfter
  return (
    <>
      <PageHead
        title={delivery.eventType}
        above={{ title: t.deliveries, path: `/webhooks/${delivery.webhookId}` }}
      >
        {may('webhooks:resend') && isResendable(delivery) && (
          <button
            type="button"
            class="main"
            disabled={send.isPending || isWaiting}
            onClick={() => {
              setResentAfter(latest?.time)
              send.mutate([delivery.id])
            }}
          >
            {t.resend}
          </button>
        )}
      </PageHead>
      <ErrorNotice error={send.error} />
      <div role="status">
        {isWaiting && <p class="notice">{t.resending}</p>}
        {!isWaiting && send.isSuccess && latest && isAccepted(latest) && (
          <p class="notice good">{t.resent}</p>
        )}
        {!isWaiting && latest && !isAccepted(latest) && (
          <FailureNotice attempt={latest} isAgain={send.isSuccess} />
        )}
      </div>
      <Facts
        of={[
          [t.status, <DeliveryStatus of={delivery} />],
          [t.time, <Time at={delivery.createTime} />],
          [t.next, delivery.nextAttemptTime && <Time at={delivery.nextAttemptTime} />],
          [t.url, delivery.request && <code>{delivery.request.url}</code>],
          [
            t.event,
            <PageLink to={`/events/${delivery.eventId}`}>
              <code>{delivery.eventId}</code>
            </PageLink>,
          ],
          [t.delivery, <CopyText text={delivery.id} />],
        ]}
      />
      <Section title={t.attempts}>
        {delivery.attempts.length === 0 && <p class="empty">{t.notTaken}</p>}
        {[...delivery.attempts].reverse().map((attempt, i) => (
          <AttemptCard of={attempt} key={attempt.time} isOpen={i === 0} />
        ))}
      </Section>
      {delivery.request && <RequestView of={delivery.request} />}
    </>
  )
}

/** Tells the user why the last attempt failed. */
function FailureNotice({ attempt, isAgain }: { attempt: Delivery['attempts'][number]; isAgain: boolean }) {
  const t = useTexts()
  const reasonOf = useReason()
  return (
    <div class="notice bad">
      <p>
        <strong>{isAgain ? t.notResent : t.failedBecause}</strong>{' '}
        {attempt.statusCode !== null && `${t.responded(attempt.statusCode)}. `}
        {reasonOf(attempt)}
      </p>
    </div>
  )
}
