import { api } from '../../../api/client.ts'
import { useRead, useSend } from '../../../api/queries.ts'
import { ConfirmButton } from '../../../parts/confirm.tsx'
import { Dialog } from '../../../parts/dialog.tsx'
import { ChoiceField, FormDialog, TextField } from '../../../parts/form.tsx'
import type { FormReader } from '../../../parts/form-reader.ts'
import { ErrorNotice } from '../../../parts/notices.tsx'
import { Status } from '../../../parts/status.tsx'
import { Table } from '../../../parts/table.tsx'
import type { Connection } from './states.tsx'
import { useTexts } from './texts.ts'

type Props = { of: Connection; title: string; onClose(): void }

/** A button to pause a provider of the connection in one environment. */
export function PauseButton({ of: { connection, environment, providerId }, title }: Omit<Props, 'onClose'>) {
  const t = useTexts()
  const read = (form: FormReader) => {
    const direction = form.choice<'collect' | 'pay_out' | ''>('direction')
    const until = form.time('until')
    const body = {
      environment,
      providerId,
      words: form.text('words'),
      ...(direction && { direction }),
      ...(until && { until }),
    }
    return [connection, body] as const
  }
  return (
    <ConfirmButton
      call={api.installation.providers.pause}
      args={read}
      action={t.pause}
      about={title}
      title={t.pauseTitle(title)}
      class=""
    >
      <p>{t.pauseText}</p>
      <ChoiceField label={t.direction} name="direction" choices={{ '': t.both, ...t.directions }} />
      <TextField label={t.words} hint={t.wordsHint} name="words" max={200} isRequired />
      <TextField label={t.until} hint={t.untilHint} name="until" type="datetime-local" />
    </ConfirmButton>
  )
}

/**
 * A dialog to end all pauses that affect a provider. If the whole connection is paused, this resumes all of its
 * providers.
 */
export function ResumeDialog({ of: one, title, onClose }: Props) {
  const t = useTexts()
  const send = useSend(api.installation.providers.resume)
  const resumeAll = async () => {
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
      // The error can be ignored here, because the dialog shows it above its buttons.
      send={{ ...send, mutate: () => void resumeAll().catch(() => {}) }}
      read={() => true}
      onClose={onClose}
    >
      <p>{t.resumeText}</p>
    </FormDialog>
  )
}

export function TestDialog({ of: { connection, environment }, title, onClose }: Props) {
  const t = useTexts()
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
