import { useLocation } from 'wouter-preact'
import { api } from '../../api/client.ts'
import { useRows, useSend } from '../../api/queries.ts'
import { usePermissions } from '../../api/scope.tsx'
import { BulkButton } from '../../parts/bulk-button.tsx'
import { ConfirmButton } from '../../parts/confirm.tsx'
import { CopyText } from '../../parts/copy.tsx'
import { DialogButton } from '../../parts/dialog.tsx'
import { type Filter, Filters, useFilters } from '../../parts/filters.tsx'
import { FormDialog, stayOpen, TextField } from '../../parts/form.tsx'
import type { FormReader } from '../../parts/form-reader.ts'
import { ErrorNotice } from '../../parts/notices.tsx'
import { objectPage } from '../../parts/object-page.tsx'
import { Facts, PageHead } from '../../parts/page.tsx'
import { SelectionBar, useSelection } from '../../parts/selection.tsx'
import { useStatusChoices } from '../../parts/status.tsx'
import { PagedTable } from '../../parts/table.tsx'
import { Time } from '../../text/format.tsx'
import { DeliveryStatus } from './delivery-status.tsx'
import { useTexts } from './texts.ts'
import { EditWebhook, type Webhook, WebhookSecretDialog } from './webhook-dialogs.tsx'
import { WebhookStatus } from './webhooks.tsx'

// The webhook is polled, because no event is published when its deliveries start or stop failing.
export default objectPage(api.webhooks.retrieve, WebhookView, { everyMs: 5_000 })

function WebhookView({ of: webhook }: { of: Webhook }) {
  const t = useTexts()
  const may = usePermissions()
  const { verificationMethod } = webhook
  return (
    <>
      <PageHead title={webhook.name} above="/webhooks">
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

function Actions({ webhook }: { webhook: Webhook }) {
  const t = useTexts()
  const [, navigate] = useLocation()
  const ping = useSend(api.webhooks.ping)
  const change = useSend(api.webhooks.update)
  return (
    <>
      <button type="button" disabled={ping.isPending} onClick={() => ping.mutate([webhook.id])}>
        {t.ping}
      </button>
      <EditWebhook webhook={webhook} />
      <ReplayButton id={webhook.id} />
      {webhook.verificationMethod.type === 'HS256' && (
        <DialogButton label={t.rotate}>
          {(close) => <RotateDialog id={webhook.id} onClose={close} />}
        </DialogButton>
      )}
      <button
        type="button"
        disabled={change.isPending}
        onClick={() => change.mutate([webhook.id, { enabled: !webhook.enabled }])}
      >
        {webhook.enabled ? t.disable : t.enable}
      </button>
      <ConfirmButton
        call={api.webhooks.delete}
        args={[webhook.id]}
        action={t.remove}
        title={t.removeTitle}
        class=""
        onSent={() => navigate('/webhooks')}
      >
        <p>{t.removeText}</p>
      </ConfirmButton>
      {ping.isSuccess && (
        <p class="notice good" role="status">
          {t.pinged}
        </p>
      )}
      <ErrorNotice error={ping.error ?? change.error} />
    </>
  )
}

function RotateDialog({ id, onClose }: { id: string; onClose(): void }) {
  const t = useTexts()
  const send = useSend(api.webhooks.rotateSecret)
  const secret = send.data?.verificationMethod.secret
  if (secret) return <WebhookSecretDialog secret={secret} onClose={onClose} />
  return (
    <FormDialog
      title={t.rotateTitle}
      action={t.rotate}
      send={send}
      read={() => [id]}
      onSent={stayOpen}
      onClose={onClose}
    >
      <p>{t.rotateText}</p>
    </FormDialog>
  )
}

function ReplayButton({ id }: { id: string }) {
  const t = useTexts()
  const read = (form: FormReader) =>
    [id, { since: form.time('since') ?? '', status: form.has('all') ? 'all' : 'failed' }] as const
  return (
    <ConfirmButton
      call={api.webhooks.redeliver}
      args={read}
      action={t.replay}
      submit={t.redeliver}
      isDangerous={false}
      class=""
    >
      <p>{t.replayText}</p>
      <TextField label={t.since} name="since" type="datetime-local" isRequired />
      <label class="choice">
        <input type="checkbox" name="all" /> {t.replayAll}
      </label>
    </ConfirmButton>
  )
}

function Deliveries({ webhook }: { webhook: Webhook }) {
  const t = useTexts()
  const filters: Filter[] = [
    { name: 'status', label: t.status, choices: useStatusChoices(['pending', 'delivered', 'failed']) },
    { name: 'from', label: t.since, type: 'date' },
  ]
  const query = useFilters(filters)
  const read = useRows(api.webhooks.deliveries, [webhook.id, { ...query, limit: 25 }], {
    isMoving: ({ status }) => status === 'pending',
  })
  const may = usePermissions()
  const { selection, chosen, clear } = useSelection(read.rows)
  const resendable = chosen.filter(({ status }) => status !== 'pending')
  return (
    <section>
      <h2>{t.deliveries}</h2>
      <Filters filters={filters} />
      <PagedTable
        label={t.deliveries}
        read={read}
        isFiltered={Object.keys(query).length > 0}
        selection={selection}
        linkOf={({ id }) => `/deliveries/${id}`}
        columns={[
          { label: t.event, cell: ({ eventType }) => eventType },
          { label: t.status, cell: (delivery) => <DeliveryStatus of={delivery} /> },
          { label: t.attempts, isNumber: true, isExtra: true, cell: ({ attempts }) => attempts.length },
          { label: t.next, isExtra: true, cell: ({ nextAttemptTime }) => <Time at={nextAttemptTime} /> },
          { label: t.time, cell: ({ createTime }) => <Time at={createTime} /> },
        ]}
      />
      <SelectionBar {...{ chosen, clear }} file="deliveries.csv">
        {may('webhooks:resend') && (
          <BulkButton
            action={t.resendSelected(resendable.length)}
            title={t.resendSelected(resendable.length)}
            rows={resendable}
            nameOf={({ eventType, createTime }) => (
              <>
                {eventType} · <Time at={createTime} />
              </>
            )}
            call={api.deliveries.redeliver}
            argsOf={({ id }) => [id]}
            onSent={clear}
          />
        )}
      </SelectionBar>
    </section>
  )
}
