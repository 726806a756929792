import { api } from '../../../api/client.ts'
import { issueAt } from '../../../api/errors.ts'
import { useRead, useSend } from '../../../api/queries.ts'
import { ChoiceField, Dialog, Field, FormDialog, TextField } from '../../../parts/form.tsx'
import { ErrorNotice } from '../../../parts/notices.tsx'
import { Status } from '../../../parts/status.tsx'
import { Table } from '../../../parts/table.tsx'
import { useTexts } from '../../../text/languages.tsx'
import type { Connection } from './states.tsx'
import { texts } from './texts.ts'

type Props = { of: Connection; title: string; onClose(): void }

/** Returns the fields that identify one provider of the connection in one environment. */
const providerAndEnvironment = ({ environment, providerId }: Connection) => ({ environment, providerId })

export function PauseDialog({ of: one, title, onClose }: Props) {
  const t = useTexts(texts)
  const send = useSend(api.installation.providers.pause)
  const submit = (fields: FormData) => {
    const until = String(fields.get('until'))
    const direction = directionOf(fields)
    const body = {
      ...providerAndEnvironment(one),
      words: String(fields.get('words')).trim(),
      ...(direction && { direction }),
      ...(until && { until: new Date(until).toISOString() }),
    }
    send.mutate([one.connection, body], { onSuccess: onClose })
  }
  return (
    <FormDialog
      title={t.pauseTitle(title)}
      action={t.pause}
      isDangerous
      isBusy={send.isPending}
      error={send.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>{t.pauseText}</p>
      <ChoiceField label={t.direction} name="direction" choices={{ '': t.both, ...t.directions }} />
      <TextField
        label={t.words}
        hint={t.wordsHint}
        name="words"
        max={200}
        isRequired
        issue={issueAt(send.error, 'words')}
      />
      <Field label={t.until} hint={t.untilHint} issue={issueAt(send.error, 'until')}>
        {(controls) => <input {...controls} name="until" type="datetime-local" />}
      </Field>
    </FormDialog>
  )
}

function directionOf(fields: FormData): 'collect' | 'pay_out' | undefined {
  const direction = fields.get('direction')
  return direction === 'collect' || direction === 'pay_out' ? direction : undefined
}

/**
 * A dialog to end all pauses that affect a provider. If the whole connection is paused, this resumes all of its
 * providers.
 */
export function ResumeDialog({ of: one, title, onClose }: Props) {
  const t = useTexts(texts)
  const send = useSend(api.installation.providers.resume)
  const submit = async () => {
    const { connection, environment } = one
    for (const { direction, providerId } of one.pauses)
      await send.mutateAsync([
        connection,
        { environment, direction, ...(providerId !== null && { providerId }) },
      ])
    onClose()
  }
  return (
    <FormDialog
      title={t.resumeTitle(title)}
      action={t.resume}
      isBusy={send.isPending}
      error={send.error}
      // The error can be ignored here, because the dialog shows it above its buttons.
      onSubmit={() => void submit().catch(() => {})}
      onClose={onClose}
    >
      <p>{t.resumeText}</p>
    </FormDialog>
  )
}

export function TestDialog({ of: { connection, environment }, title, onClose }: Props) {
  const t = useTexts(texts)
  const { data, error } = useRead(api.installation.providers.test, [connection, { environment }])
  return (
    <Dialog title={t.testTitle(title)} onClose={onClose}>
      <p>{t.testText}</p>
      <ErrorNotice error={error} />
      {data ? (
        <Table
          label={t.testTitle(title)}
          rows={data.steps}
          keyOf={({ step }) => step}
          columns={[
            { label: t.step, cell: ({ step }) => step },
            {
              label: t.result,
              cell: ({ outcome }) => (
                <Status of={outcome === 'ok' ? 'completed' : outcome} words={t.outcomes[outcome]} />
              ),
            },
            { label: t.detail, cell: ({ detail }) => detail },
          ]}
        />
      ) : (
        !error && (
          <p class="muted" role="status">
            {t.testing}
          </p>
        )
      )}
      <div class="actions">
        <button type="button" class="quiet" onClick={onClose}>
          {t.close}
        </button>
      </div>
    </Dialog>
  )
}
