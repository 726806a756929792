import { useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import { api, type InputOf, type ResultOf } from '../../api/client.ts'
import { issueAt } from '../../api/errors.ts'
import { eventTypes } from '../../api/event-types.ts'
import { useSend } from '../../api/queries.ts'
import { Field, FormDialog, SecretDialog } from '../../parts/form.tsx'
import { useTexts } from '../../text/languages.tsx'
import { texts } from './texts.ts'

export type Webhook = ResultOf<typeof api.webhooks.retrieve>
type NewWebhook = InputOf<typeof api.webhooks.create>
type Fields = Pick<NewWebhook, 'name' | 'url' | 'events'> & { alertEmails: string[] }

/** A dialog that creates a webhook and then shows its secret once. */
export function NewWebhookDialog({ onClose }: { onClose(): void }) {
  const t = useTexts(texts)
  const [, navigate] = useLocation()
  const send = useSend(api.webhooks.create)
  const leave = () => {
    onClose()
    if (send.data) navigate(`/webhooks/${send.data.id}`)
  }
  if (send.data?.verificationMethod.secret)
    return <WebhookSecretDialog secret={send.data.verificationMethod.secret} onClose={leave} />
  return (
    <WebhookForm
      title={t.create}
      action={t.create}
      isBusy={send.isPending}
      error={send.error}
      onSubmit={(body) => send.mutate([body])}
      onClose={onClose}
    />
  )
}

export function EditWebhookDialog({ webhook, onClose }: { webhook: Webhook; onClose(): void }) {
  const t = useTexts(texts)
  const send = useSend(api.webhooks.update)
  return (
    <WebhookForm
      title={t.edit}
      action={t.save}
      webhook={webhook}
      isBusy={send.isPending}
      error={send.error}
      onSubmit={(body) => send.mutate([webhook.id, body], { onSuccess: onClose })}
      onClose={onClose}
    />
  )
}

export function WebhookSecretDialog({ secret, onClose }: { secret: string; onClose(): void }) {
  const t = useTexts(texts)
  return <SecretDialog title={t.secret} notice={t.secretNotice} secret={secret} onClose={onClose} />
}

type WebhookFormProps = {
  title: string
  action: string
  webhook?: Webhook
  isBusy: boolean
  error: Error | null
  onSubmit(fields: Fields): void
  onClose(): void
}

function WebhookForm({ webhook, error, onSubmit, ...dialog }: WebhookFormProps) {
  const t = useTexts(texts)
  const [isAll, setAll] = useState(webhook ? webhook.events.includes('*') : true)
  const [hasNoEvents, setNoEvents] = useState(false)
  const submit = (form: FormData) => {
    // Safe: the form offers only valid event types.
    const events = (isAll ? ['*'] : form.getAll('events').map(String)) as Fields['events']
    setNoEvents(events.length === 0)
    if (events.length === 0) return
    const alertEmails = String(form.get('alertEmails'))
      .split(',')
      .map((each) => each.trim())
      .filter(Boolean)
    onSubmit({ name: String(form.get('name')), url: String(form.get('url')), events, alertEmails })
  }
  return (
    <FormDialog {...dialog} error={error} onSubmit={submit}>
      <Field label={t.name} issue={issueAt(error, 'name')}>
        {(controls) => (
          <input {...controls} name="name" required maxLength={100} defaultValue={webhook?.name} />
        )}
      </Field>
      <Field label={t.url} hint={t.urlHint} issue={issueAt(error, 'url')}>
        {(controls) => (
          <input {...controls} name="url" type="url" required maxLength={255} defaultValue={webhook?.url} />
        )}
      </Field>
      <fieldset class="field">
        <legend>{t.events}</legend>
        <label class="choice">
          <input type="radio" name="which" checked={isAll} onChange={() => setAll(true)} />
          {t.all}
        </label>
        <label class="choice">
          <input type="radio" name="which" checked={!isAll} onChange={() => setAll(false)} />
          {t.some}
        </label>
        {!isAll && <EventChoices chosen={webhook?.events ?? []} />}
        {hasNoEvents && (
          <p class="fault" role="alert">
            {t.noEvents}
          </p>
        )}
      </fieldset>
      <Field label={t.alertEmails} hint={t.alertHint} issue={issueAt(error, 'alertEmails')}>
        {(controls) => (
          <input
            {...controls}
            name="alertEmails"
            maxLength={520}
            defaultValue={webhook?.alertEmails.join(', ')}
          />
        )}
      </Field>
    </FormDialog>
  )
}

function EventChoices({ chosen }: { chosen: string[] }) {
  const isChosen = (type: string) => chosen.includes(type) || chosen.includes(`${type.split('.')[0]}.*`)
  return (
    <div class="choices">
      {eventTypes.map((type) => (
        <label class="choice" key={type}>
          <input type="checkbox" name="events" value={type} defaultChecked={isChosen(type)} />
          <code>{type}</code>
        </label>
      ))}
    </div>
  )
}
