import { useContext, useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import { api, type InputOf, type ResultOf } from '../../api/client.ts'
import { eventTypes } from '../../api/event-types.ts'
import { useSend } from '../../api/queries.ts'
import { ConfirmButton } from '../../parts/confirm.tsx'
import { FormContext } from '../../parts/field.tsx'
import { FormDialog, SecretDialog, stayOpen, TextField } from '../../parts/form.tsx'
import type { FormReader } from '../../parts/form-reader.ts'
import { useTexts } from './texts.ts'

export type Webhook = ResultOf<typeof api.webhooks.retrieve>
type NewWebhook = InputOf<typeof api.webhooks.create>
type WebhookFields = Pick<NewWebhook, 'name' | 'url' | 'events'> & { alertEmails: string[] }

/** A dialog that creates a webhook and then shows its secret once. */
export function NewWebhookDialog({ onClose }: { onClose(): void }) {
  const t = useTexts()
  const [, navigate] = useLocation()
  const send = useSend(api.webhooks.create)
  const leave = () => {
    onClose()
    if (send.data) navigate(`/webhooks/${send.data.id}`)
  }
  if (send.data?.verificationMethod.secret)
    return <WebhookSecretDialog secret={send.data.verificationMethod.secret} onClose={leave} />
  return (
    <FormDialog
      title={t.create}
      action={t.create}
      send={send}
      read={(form) => [webhookIn(form)]}
      onSent={stayOpen}
      onClose={onClose}
    >
      <WebhookFields />
    </FormDialog>
  )
}

type EditProps = {
  webhook: Webhook
  /** Called after the URL has been changed. */
  onMoved(): void
}

export function EditWebhook({ webhook, onMoved }: EditProps) {
  const t = useTexts()
  return (
    <ConfirmButton
      call={api.webhooks.update}
      args={(form) => [webhook.id, webhookIn(form)]}
      action={t.edit}
      submit={t.save}
      isDangerous={false}
      class=""
      onSent={({ url }) => url !== webhook.url && onMoved()}
    >
      <WebhookFields webhook={webhook} />
    </ConfirmButton>
  )
}

/** A button to change only the URL, which is usually why a webhook fails. */
export function EditUrl({ webhook, onMoved }: EditProps) {
  const t = useTexts()
  return (
    <ConfirmButton
      call={api.webhooks.update}
      args={(form) => [webhook.id, { url: form.text('url') }]}
      action={t.editUrl}
      submit={t.save}
      isDangerous={false}
      onSent={({ url }) => url !== webhook.url && onMoved()}
    >
      <UrlField initial={webhook.url} />
    </ConfirmButton>
  )
}

const UrlField = ({ initial }: { initial: string | undefined }) => {
  const t = useTexts()
  return (
    <TextField name="url" label={t.url} hint={t.urlHint} type="url" max={255} isRequired initial={initial} />
  )
}

export function WebhookSecretDialog({ secret, onClose }: { secret: string; onClose(): void }) {
  const t = useTexts()
  return <SecretDialog title={t.secret} notice={t.secretNotice} secret={secret} onClose={onClose} />
}

/** Reads the fields of a webhook. Choosing no event at all is refused in the browser. */
function webhookIn(form: FormReader): WebhookFields {
  // Safe: the form offers only valid event types.
  const events = (form.text('which') === 'all' ? ['*'] : form.all('events')) as WebhookFields['events']
  if (events.length === 0) form.refuse('events', '')
  return { name: form.text('name'), url: form.text('url'), events, alertEmails: form.list('alertEmails') }
}

function WebhookFields({ webhook }: { webhook?: Webhook }) {
  const t = useTexts()
  const { issues } = useContext(FormContext)
  const [isAll, setAll] = useState(webhook ? webhook.events.includes('*') : true)
  return (
    <>
      <TextField name="name" label={t.name} max={100} isRequired initial={webhook?.name} />
      <UrlField initial={webhook?.url} />
      <fieldset class="field">
        <legend>{t.events}</legend>
        <label class="choice">
          <input type="radio" name="which" value="all" checked={isAll} onChange={() => setAll(true)} />
          {t.all}
        </label>
        <label class="choice">
          <input type="radio" name="which" value="some" checked={!isAll} onChange={() => setAll(false)} />
          {t.some}
        </label>
        {!isAll && <EventChoices chosen={webhook?.events ?? []} />}
        {'events' in issues && (
          <p class="fault" role="alert">
            {t.noEvents}
          </p>
        )}
      </fieldset>
      <TextField
        name="alertEmails"
        label={t.alertEmails}
        hint={t.alertHint}
        max={520}
        initial={webhook?.alertEmails.join(', ')}
      />
    </>
  )
}

/** The chosen types come first, including those such as `payment.*` that were chosen through the API. */
function EventChoices({ chosen }: { chosen: string[] }) {
  const types = new Set([...chosen.filter((type) => type !== '*'), ...eventTypes])
  return (
    <div class="choices">
      {[...types].map((type) => (
        <label class="choice" key={type}>
          <input type="checkbox" name="events" value={type} defaultChecked={chosen.includes(type)} />
          <code>{type}</code>
        </label>
      ))}
    </div>
  )
}
