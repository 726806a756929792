import { useRef } from 'preact/hooks'
import { api } from '../../api/client.ts'
import { useRows } from '../../api/queries.ts'
import { usePermissions } from '../../api/scope.tsx'
import { Time } from '../../text/format.tsx'
import { isResendable } from './delivery-status.tsx'
import { useReason } from './outcome.tsx'
import { ResendButton } from './resend.tsx'
import { useTexts } from './texts.ts'
import { EditUrl, type Webhook } from './webhook-dialogs.tsx'

/** Maximum number of undelivered events to count of each kind. */
const most = 50

/** Counts the events that were sent but not delivered. Undefined while unknown or if there are too many. */
export function useUndelivered(id: string, enabled: boolean): number | undefined {
  const isMoving = ({ status }: { status: string }) => status === 'pending'
  const pending = useRows(api.webhooks.deliveries, [id, { status: 'pending', limit: most }], {
    enabled,
    isMoving,
  })
  const failed = useRows(api.webhooks.deliveries, [id, { status: 'failed', limit: most }], { enabled })
  const isUnknown = [pending, failed].some(({ isLoading, error, more }) => isLoading || error || more)
  if (!enabled || isUnknown) return undefined
  return pending.rows.filter(isResendable).length + failed.rows.length
}

/** Tells the user why deliveries fail, since when, and to which URL, which is usually the cause. */
export function FailingNotice({ webhook, onMoved }: { webhook: Webhook; onMoved(): void }) {
  const t = useTexts()
  const may = usePermissions()
  const reasonOf = useReason()
  const { failingSinceTime, lastDay, url } = webhook
  const error = lastDay?.lastError
  return (
    <div class="notice bad">
      <p>
        <strong>
          {t.failingSince} <Time at={failingSinceTime} />.
        </strong>{' '}
        {error?.statusCode && `${t.responded(error.statusCode)}. `}
        {error && reasonOf(error)}
      </p>
      <p>
        <code>{url}</code>
      </p>
      <p>{t.failingText}</p>
      {may('webhooks:write') && <EditUrl {...{ webhook, onMoved }} />}
    </div>
  )
}

type MovedProps = { id: string; undelivered: number | undefined; onResent(): void }

/** Offers to resend what was not delivered to the old URL. */
export function MovedNotice({ id, undelivered, onResent }: MovedProps) {
  const t = useTexts()
  const mayResend = usePermissions()('webhooks:resend')
  const isDone = undelivered === 0
  // The button stays, because its dialog may be open.
  const isOffered = useRef(false)
  isOffered.current ||= mayResend && !isDone
  return (
    <div class={isDone ? 'notice good' : 'notice'} role="status">
      <p>
        <strong>{t.moved}</strong> {isDone ? t.noneLeft : mayResend && t.resendQuestion(undelivered)}
      </p>
      {isOffered.current && <ResendButton id={id} isMain={!isDone} onSent={onResent} />}
    </div>
  )
}

type ProgressProps = {
  /** The number of events that were undelivered when they were resent; undefined if it is unknown. */
  all: number | undefined
  undelivered: number | undefined
}

/** Shows how many of the resent events have been delivered so far. */
export function Progress({ all, undelivered }: ProgressProps) {
  const t = useTexts()
  const isKnown = all !== undefined && all > 0 && undelivered !== undefined
  const isDone = isKnown && undelivered === 0
  return (
    <p class={isDone ? 'notice good' : 'notice'} role="status">
      {!isKnown && t.resendAllSent}
      {isKnown && (isDone ? t.allDelivered(all) : t.deliveredSoFar(Math.max(0, all - undelivered), all))}
    </p>
  )
}
