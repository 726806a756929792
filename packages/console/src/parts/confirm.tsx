import { useState } from 'preact/hooks'
import type { ApiCall, ArgumentsOf } from '../api/client.ts'
import { useSend } from '../api/queries.ts'
import { FormDialog } from './form.tsx'

type Props<Called extends ApiCall> = {
  call: Called
  args: ArgumentsOf<Called>
  /** Label of both the button on the page and the button in the dialog. */
  action: string
  title: string
  /** Text that tells the user what will happen. */
  warning: string
  /** Whether to style the action as dangerous. Set to false for actions such as resuming. */
  isDangerous?: boolean
}

/** A button that sends a command after the user has confirmed it in a dialog. */
export function ConfirmButton<Called extends ApiCall>(props: Props<Called>) {
  const { call, args, action, title, warning, isDangerous = true } = props
  const [isOpen, setOpen] = useState(false)
  const send = useSend(call)
  return (
    <>
      <button type="button" class={isDangerous ? 'quiet danger' : 'main'} onClick={() => setOpen(true)}>
        {action}
      </button>
      {isOpen && (
        <FormDialog
          title={title}
          action={action}
          isDangerous={isDangerous}
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
