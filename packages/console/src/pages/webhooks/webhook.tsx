import { useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import { api } from '../../api/client.ts'
import { useSend } from '../../api/queries.ts'
import { useCurrentSpace, usePermissions } from '../../api/scope.tsx'
import { ConfirmButton } from '../../parts/confirm.tsx'
import { CopyText } from '../../parts/copy.tsx'
import { DialogButton } from '../../parts/dialog.tsx'
import { FormDialog, stayOpen } from '../../parts/form.tsx'
import { ErrorNotice } from '../../parts/notices.tsx'
import { objectPage } from '../../parts/object-page.tsx'
import { Facts, PageHead, Section } from '../../parts/page.tsx'
import { LastDay } from './activity.tsx'
import { useAttentionAfter } from './attention-after.ts'
import { Deliveries } from './deliveries.tsx'
import { Example } from './example.tsx'
import { FailingNotice, MovedNotice, Progress, useUndelivered } from './failing.tsx'
import { ResendButton } from './resend.tsx'
import { useTexts } from './texts.ts'
import { EditWebhook, type Webhook, WebhookSecretDialog } from './webhook-dialogs.tsx'
import { WebhookStatus } from './webhooks.tsx'
import './webhooks.css'

// The webhook is polled, because no event is published when its deliveries start or stop failing.
export default objectPage(api.webhooks.retrieve, WebhookView, {
  query: { withActivity: true },
  everyMs: 5_000,
})

function WebhookView({ of: webhook }: { of: Webhook }) {
  const t = useTexts()
  const may = usePermissions()
  const { scope } = useCurrentSpace()
  const [isMoved, setMoved] = useState(false)
  const [resent, setResent] = useState<{ all: number | undefined }>()
  const isFailing = webhook.enabled && webhook.failingSinceTime !== null
  useAttentionAfter(isFailing)
  const undelivered = useUndelivered(webhook.id, isFailing || isMoved || resent !== undefined)
  const asksToResend = isMoved && !resent
  const onResent = () => setResent({ all: undelivered })
  const onMoved = () => setMoved(true)
  const { verificationMethod } = webhook
  const mayTry = scope.environment === 'test' && webhook.enabled && may('webhooks:write')
  return (
    <>
      <PageHead title={webhook.name} above="/webhooks">
        {webhook.enabled && !asksToResend && may('webhooks:resend') && (
          <ResendButton id={webhook.id} isMain={false} onSent={onResent} />
        )}
        {may('webhooks:write') && <Actions webhook={webhook} onMoved={onMoved} />}
      </PageHead>
      {isFailing && !asksToResend && <FailingNotice webhook={webhook} onMoved={onMoved} />}
      {asksToResend && <MovedNotice id={webhook.id} {...{ undelivered, onResent }} />}
      {resent && <Progress {...resent} undelivered={undelivered} />}
      <LastDay of={webhook} />
      <Deliveries webhookId={webhook.id} />
      {mayTry && <Example webhook={webhook} />}
      <Section title={t.settings}>
        <Facts
          of={[
            [t.status, <WebhookStatus of={webhook} />],
            [t.url, <code>{webhook.url}</code>],
            [t.events, <code>{webhook.events.join(', ')}</code>],
            [t.alertEmails, webhook.alertEmails.join(', ')],
            [t.signing, verificationMethod.type],
            [t.publicKey, verificationMethod.publicKey && <CopyText text={verificationMethod.publicKey} />],
          ]}
        />
      </Section>
    </>
  )
}

function Actions({ webhook, onMoved }: { webhook: Webhook; onMoved(): void }) {
  const t = useTexts()
  const [, navigate] = useLocation()
  const ping = useSend(api.webhooks.ping)
  const change = useSend(api.webhooks.update)
  return (
    <>
      <button type="button" disabled={ping.isPending} onClick={() => ping.mutate([webhook.id])}>
        {t.ping}
      </button>
      <EditWebhook {...{ webhook, onMoved }} />
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
