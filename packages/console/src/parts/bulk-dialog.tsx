import { useQueryClient } from '@tanstack/preact-query'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { type ApiCall, type ArgumentsOf, call } from '../api/client.ts'
import { useCurrentSpace } from '../api/scope.tsx'
import { createTexts } from '../text/languages.tsx'
import { useWords } from '../text/words.ts'
import { Dialog } from './dialog.tsx'
import { type FormReader, readForm } from './form-reader.ts'
import { ErrorNotice } from './notices.tsx'

const useTexts = createTexts(
  {
    waiting: 'Not sent yet',
    sending: 'Sending…',
    done: 'Done',
    retry: 'Retry failed',
  },
  {
    waiting: 'Pas encore envoyé',
    sending: 'Envoi…',
    done: 'Fait',
    retry: 'Réessayer les échecs',
  },
)

export type BulkProps<Row, Called extends ApiCall> = {
  /** Label of the button and of the button that confirms. */
  action: string
  title: string
  rows: readonly Row[]
  nameOf(row: Row): ComponentChildren
  call: Called
  /** Returns the arguments of the call for a row. */
  argsOf(row: Row, form: FormReader): ArgumentsOf<Called>
  /** Called when the dialog closes after something was sent. */
  onSent(): void
  /** Fields that apply to all rows. */
  children?: ComponentChildren
}

type Outcome = 'sending' | 'done' | Error
type DialogProps<Row, Called extends ApiCall> = BulkProps<Row, Called> & { onClose(): void }

/** The dialog that asks once, sends the command for each row and shows the outcomes. */
export default function BulkDialog<Row extends { id: string }, Called extends ApiCall>(
  props: DialogProps<Row, Called>,
) {
  const { action, title, rows, nameOf, argsOf, onSent, children, onClose } = props
  const t = useTexts()
  const words = useWords()
  const { scope, space } = useCurrentSpace()
  const client = useQueryClient()
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(new Map())
  // A retry has the same arguments and the same idempotency key as the first attempt, so that a command whose
  // response was lost is not executed twice.
  const commands = useRef(new Map<string, { args: ArgumentsOf<Called>; idempotencyKey: string }>())
  const isClosed = useRef(false)
  // Closing the dialog cancels the commands that have not been sent.
  useEffect(
    () => () => {
      isClosed.current = true
    },
    [],
  )
  const note = (id: string, outcome: Outcome) => setOutcomes((before) => new Map(before).set(id, outcome))
  const send = async (form: HTMLFormElement) => {
    const reader = readForm(new FormData(form), space.country, words)
    for (const row of rows) {
      if (isClosed.current) break
      if (outcomes.get(row.id) === 'done') continue
      const command = commands.current.get(row.id) ?? {
        args: argsOf(row, reader),
        idempotencyKey: crypto.randomUUID(),
      }
      commands.current.set(row.id, command)
      note(row.id, 'sending')
      try {
        await call(props.call, command.args, { scope, idempotencyKey: command.idempotencyKey })
        note(row.id, 'done')
      } catch (error) {
        note(row.id, error instanceof Error ? error : new Error(String(error)))
      }
    }
    await client.invalidateQueries({
      predicate: ({ queryKey }) => queryKey[0] === scope.spaceId,
    })
  }
  const all = [...outcomes.values()]
  const isStarted = all.length > 0
  const isSending = isStarted && (all.length < rows.length || all.includes('sending'))
  const hasFailed = all.some((outcome) => outcome instanceof Error)
  const close = () => {
    onClose()
    if (isStarted) onSent()
  }
  return (
    <Dialog title={title} onClose={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (!isSending) void send(event.currentTarget)
        }}
      >
        <fieldset disabled={isStarted}>{children}</fieldset>
        <ul class="outcomes">
          {rows.map((row) => (
            <li key={row.id}>
              <span>{nameOf(row)}</span>
              {isStarted && <RowOutcome of={outcomes.get(row.id)} />}
            </li>
          ))}
        </ul>
        <p class="actions">
          {(!isStarted || hasFailed) && (
            <button type="submit" class="main" disabled={isSending}>
              {isStarted ? t.retry : action}
            </button>
          )}
          <button type="button" class="quiet" disabled={isSending} onClick={close}>
            {isStarted ? words.close : words.cancel}
          </button>
        </p>
      </form>
    </Dialog>
  )
}

function RowOutcome({ of: outcome }: { of: Outcome | undefined }) {
  const t = useTexts()
  if (outcome instanceof Error) return <ErrorNotice error={outcome} />
  if (outcome === 'done') return <span class="status good">{t.done}</span>
  return <span class="status">{outcome === 'sending' ? t.sending : t.waiting}</span>
}
