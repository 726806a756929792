import { useState } from 'preact/hooks'
import { useLocation, useParams } from 'wouter-preact'
import { api } from '../../api/client.ts'
import { issueAt } from '../../api/errors.ts'
import { useRead, useRows, useSend } from '../../api/queries.ts'
import { usePermissions } from '../../api/scope.tsx'
import { CopyText } from '../../parts/copy.tsx'
import { ErrorPage } from '../../parts/dead-end.tsx'
import { Facts } from '../../parts/facts.tsx'
import { type Filter, Filters, useFilters } from '../../parts/filters.tsx'
import { Field, FormDialog } from '../../parts/form.tsx'
import { ErrorNotice, Loading } from '../../parts/notices.tsx'
import { PageHead } from '../../parts/page.tsx'
import { useStatusChoices } from '../../parts/status.tsx'
import { PagedTable } from '../../parts/table.tsx'
import { Time } from '../../text/format.tsx'
import { useTexts } from '../../text/languages.tsx'
import { DeliveryStatus } from './delivery-status.tsx'
import { texts } from './texts.ts'
import { EditWebhookDialog, type Webhook, WebhookSecretDialog } from './webhook-dialogs.tsx'
import { WebhookStatus } from './webhooks.tsx'

export default function WebhookPage() {
  const { id = '' } = useParams()
  // The webhook is polled, because no event is published when its deliveries start or stop failing.
  const { data: webhook, error } = useRead(api.webhooks.retrieve, [id], { everyMs: 5_000 })
  if (error) return <ErrorPage error={error} />
  return webhook ? <Shown webhook={webhook} /> : <Loading />
}

function Shown({ webhook }: { webhook: Webhook }) {
  const t = useTexts(texts)
  const may = usePermissions()
  const { verificationMethod } = webhook
  return (
    <>
      <PageHead title={webhook.name} above={{ title: t.webhooks, path: '/webhooks' }}>
        {may('webhooks:write') && <Actions webhook={webhook} />}
      </PageHead>
      {webhook.enabled && webhook.failingSinceTime && (
        <div class="notice bad">
          <p>
            {t.failingSince} <Time at={webhook.failingSinceTime} />. {t.failingText}
          </p>
        </div>
      )}
      <Facts
        of={[
          [t.status, <WebhookStatus of={webhook} />],
          [t.url, webhook.url],
          [t.events, webhook.events.join(', ')],
          [t.alertEmails, webhook.alertEmails.join(', ')],
          [t.signing, verificationMethod.type],
          [t.publicKey, verificationMethod.publicKey && <CopyText text={verificationMethod.publicKey} />],
        ]}
      />
      <Deliveries webhook={webhook} />
    </>
  )
}

type DialogName = 'edit' | 'rotate' | 'remove' | 'replay'

function Actions({ webhook }: { webhook: Webhook }) {
  const t = useTexts(texts)
  const [shownDialog, showDialog] = useState<DialogName>()
  const ping = useSend(api.webhooks.ping)
  const change = useSend(api.webhooks.update)
  const close = () => showDialog(undefined)
  const button = (words: string, which: DialogName) => (
    <button type="button" onClick={() => showDialog(which)}>
      {words}
    </button>
  )
  return (
    <>
      <button type="button" disabled={ping.isPending} onClick={() => ping.mutate([webhook.id])}>
        {t.ping}
      </button>
      {button(t.edit, 'edit')}
      {button(t.replay, 'replay')}
      {webhook.verificationMethod.type === 'HS256' && button(t.rotate, 'rotate')}
      <button
        type="button"
        disabled={change.isPending}
        onClick={() => change.mutate([webhook.id, { enabled: !webhook.enabled }])}
      >
        {webhook.enabled ? t.disable : t.enable}
      </button>
      {button(t.remove, 'remove')}
      {ping.isSuccess && (
        <p class="notice good" role="status">
          {t.pinged}
        </p>
      )}
      <ErrorNotice error={ping.error ?? change.error} />
      {shownDialog === 'edit' && <EditWebhookDialog webhook={webhook} onClose={close} />}
      {shownDialog === 'rotate' && <RotateDialog id={webhook.id} onClose={close} />}
      {shownDialog === 'remove' && <RemoveDialog id={webhook.id} onClose={close} />}
      {shownDialog === 'replay' && <ReplayDialog id={webhook.id} onClose={close} />}
    </>
  )
}

type DialogProps = { id: string; onClose(): void }

function RotateDialog({ id, onClose }: DialogProps) {
  const t = useTexts(texts)
  const send = useSend(api.webhooks.rotateSecret)
  const secret = send.data?.verificationMethod.secret
  if (secret) return <WebhookSecretDialog secret={secret} onClose={onClose} />
  return (
    <FormDialog
      title={t.rotateTitle}
      action={t.rotate}
      isBusy={send.isPending}
      error={send.error}
      onSubmit={() => send.mutate([id])}
      onClose={onClose}
    >
      <p>{t.rotateText}</p>
    </FormDialog>
  )
}

function RemoveDialog({ id, onClose }: DialogProps) {
  const t = useTexts(texts)
  const [, navigate] = useLocation()
  const send = useSend(api.webhooks.delete)
  return (
    <FormDialog
      title={t.removeTitle}
      action={t.remove}
      isDangerous
      isBusy={send.isPending}
      error={send.error}
      onSubmit={() => send.mutate([id], { onSuccess: () => navigate('/webhooks') })}
      onClose={onClose}
    >
      <p>{t.removeText}</p>
    </FormDialog>
  )
}

function ReplayDialog({ id, onClose }: DialogProps) {
  const t = useTexts(texts)
  const send = useSend(api.webhooks.redeliver)
  const submit = (fields: FormData) => {
    const since = new Date(String(fields.get('since'))).toISOString()
    const status = fields.has('all') ? ('all' as const) : ('failed' as const)
    send.mutate([id, { since, status }], { onSuccess: onClose })
  }
  return (
    <FormDialog
      title={t.replay}
      action={t.redeliver}
      isBusy={send.isPending}
      error={send.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>{t.replayText}</p>
      <Field label={t.since} issue={issueAt(send.error, 'since')}>
        {(controls) => <input {...controls} name="since" type="datetime-local" required />}
      </Field>
      <label class="choice">
        <input type="checkbox" name="all" /> {t.replayAll}
      </label>
    </FormDialog>
  )
}

function Deliveries({ webhook }: { webhook: Webhook }) {
  const t = useTexts(texts)
  const filters: Filter[] = [
    { name: 'status', label: t.status, choices: useStatusChoices(['pending', 'delivered', 'failed']) },
    { name: 'from', label: t.since, type: 'date' },
  ]
  const query = useFilters(filters)
  const read = useRows(api.webhooks.deliveries, [webhook.id, { ...query, limit: 25 }], {
    isMoving: ({ status }) => status === 'pending',
  })
  return (
    <section>
      <h2>{t.deliveries}</h2>
      <Filters filters={filters} />
      <PagedTable
        label={t.deliveries}
        read={read}
        isFiltered={Object.keys(query).length > 0}
        keyOf={({ id }) => id}
        linkOf={({ id }) => `/deliveries/${id}`}
        columns={[
          { label: t.event, cell: ({ eventType }) => eventType },
          { label: t.status, cell: (delivery) => <DeliveryStatus of={delivery} /> },
          { label: t.attempts, isNumber: true, isExtra: true, cell: ({ attempts }) => attempts.length },
          { label: t.next, isExtra: true, cell: ({ nextAttemptTime }) => <Time at={nextAttemptTime} /> },
          { label: t.time, cell: ({ createTime }) => <Time at={createTime} /> },
        ]}
      />
    </section>
  )
}
