import { useState } from 'preact/hooks'
import type { ArgumentsOf } from '../api/client.ts'
import { type CommandName, useSend } from '../api/queries.ts'
import { FormDialog } from './form.tsx'

type Props<Name extends CommandName> = {
  name: Name
  args: ArgumentsOf<Name>
  /** What the button says, and the dialog's own. */
  action: string
  title: string
  /** What will happen. */
  warning: string
}

/** A button for what cannot be undone: it asks first. */
export function ConfirmButton<Name extends CommandName>({ name, args, action, title, warning }: Props<Name>) {
  const [isOpen, setOpen] = useState(false)
  const send = useSend(name)
  return (
    <>
      <button type="button" class="quiet danger" onClick={() => setOpen(true)}>
        {action}
      </button>
      {isOpen && (
        <FormDialog
          title={title}
          action={action}
          isDangerous
          isBusy={send.isPending}
          error={send.error}
          onSubmit={() => send.mutate(args, { onSuccess: () => setOpen(false) })}
          onClose={() => setOpen(false)}
        >
          <p class="field">{warning}</p>
        </FormDialog>
      )}
    </>
  )
}
