import { api } from '../../api/client.ts'
import { usePermissions } from '../../api/scope.tsx'
import { DialogButton } from '../../parts/dialog.tsx'
import { ListPage } from '../../parts/list-page.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../text/format.tsx'
import { LastError, SuccessRate, Ticks } from './activity.tsx'
import { useTexts } from './texts.ts'
import { NewWebhookDialog, type Webhook } from './webhook-dialogs.tsx'
import './webhooks.css'

export default function Webhooks() {
  const t = useTexts()
  const may = usePermissions()
  return (
    <ListPage
      page="/webhooks"
      of={api.webhooks.list}
      query={{ withActivity: true }}
      empty={t.empty}
      columns={[
        { label: t.name, cell: (webhook) => <NameAndUrl of={webhook} /> },
        { label: t.status, cell: (webhook) => <WebhookStatus of={webhook} isDated /> },
        {
          label: t.lastDay,
          cell: ({ lastDay }) =>
            lastDay && (
              <span class="day">
                <Ticks of={lastDay} /> <SuccessRate of={lastDay} />
              </span>
            ),
        },
        {
          label: t.lastError,
          // A later success makes the error history.
          cell: ({ lastDay, failingSinceTime }) =>
            failingSinceTime && lastDay?.lastError ? <LastError of={lastDay.lastError} /> : '–',
        },
        { label: t.events, cell: ({ events }) => events.join(', '), isExtra: true },
      ]}
    >
      {may('webhooks:write') && (
        <DialogButton label={t.create} class="main">
          {(close) => <NewWebhookDialog onClose={close} />}
        </DialogButton>
      )}
    </ListPage>
  )
}

function NameAndUrl({ of: { name, url } }: { of: Pick<Webhook, 'name' | 'url'> }) {
  return (
    <>
      {name} <span class="endpoint-url">{url}</span>
    </>
  )
}

type WebhookHealth = Pick<Webhook, 'enabled' | 'failingSinceTime'>

/** Shows whether the webhook is turned on, whether its deliveries are failing and, if `isDated`, since when. */
export function WebhookStatus({ of, isDated }: { of: WebhookHealth; isDated?: boolean }) {
  const t = useTexts()
  const { enabled, failingSinceTime } = of
  if (!enabled) return <Status of="disabled" words={t.disabled} />
  if (!failingSinceTime) return <Status of="active" words={t.enabled} />
  return (
    <span class="failing">
      <Status of="failed" words={t.failing} />
      {isDated && (
        <>
          {' '}
          {t.sinceTime} <Time at={failingSinceTime} />
        </>
      )}
    </span>
  )
}
