import { api, type ResultOf } from '../../api/client.ts'
import { usePermissions } from '../../api/scope.tsx'
import { DialogButton } from '../../parts/dialog.tsx'
import { ListPage } from '../../parts/list-page.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../text/format.tsx'
import { useTexts } from './texts.ts'
import { NewWebhookDialog } from './webhook-dialogs.tsx'

export default function Webhooks() {
  const t = useTexts()
  const may = usePermissions()
  return (
    <ListPage
      page="/webhooks"
      of={api.webhooks.list}
      columns={[
        { label: t.name, cell: ({ name }) => name },
        { label: t.url, cell: ({ url }) => url, isExtra: true },
        { label: t.events, cell: ({ events }) => events.join(', '), isExtra: true },
        { label: t.status, cell: (webhook) => <WebhookStatus of={webhook} /> },
        { label: t.time, cell: ({ createTime }) => <Time at={createTime} /> },
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

type WebhookHealth = Pick<ResultOf<typeof api.webhooks.list>[number], 'enabled' | 'failingSinceTime'>

/** Shows whether the webhook is turned on and whether its deliveries are failing. */
export function WebhookStatus({ of: { enabled, failingSinceTime } }: { of: WebhookHealth }) {
  const t = useTexts()
  if (!enabled) return <Status of="disabled" words={t.disabled} />
  return failingSinceTime ? (
    <Status of="failed" words={t.failing} />
  ) : (
    <Status of="active" words={t.enabled} />
  )
}
