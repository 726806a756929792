import type { ComponentChildren } from 'preact'
import type { ApiCall, ArgumentsOf, ResultOf } from '../api/client.ts'
import { useSend } from '../api/queries.ts'
import { createTexts } from '../text/languages.tsx'
import { DialogButton } from './dialog.tsx'
import { FormDialog, type Sender, TextField } from './form.tsx'
import type { FormReader } from './form-reader.ts'

type ReadArguments<Called> = (
  form: FormReader,
) => ArgumentsOf<Called> | undefined | Promise<ArgumentsOf<Called> | undefined>

type Props<Called extends ApiCall> = {
  call: Called
  /** The arguments of the call, or a function that reads them from the fields in the dialog. */
  args: ArgumentsOf<Called> | ReadArguments<Called>
  /** Label of the button on the page and, by default, of the button in the dialog. */
  action: string
  submit?: string
  /** Name of the object that the button is for, which only screen readers announce. */
  about?: string
  title?: string
  /** Text that tells the user what will happen. */
  warning?: string
  /** Whether to style the action as dangerous. Set to false for actions such as resuming. */
  isDangerous?: boolean
  /** CSS class of the button on the page. */
  class?: string
  onOpen?(): void
  /** Called after the command has succeeded and the dialog is closed. */
  onSent?(result: ResultOf<Called>): void
  /** Called when the command has succeeded, even if the button disappears because of it. */
  onDone?: ((result: ResultOf<Called>) => void) | undefined
  /** Fields for arguments. */
  children?: ComponentChildren
}

/** A button that sends a command after the user has confirmed it in a dialog. */
export function ConfirmButton<Called extends ApiCall>(props: Props<Called>) {
  const { call, args, action, submit = action, about, title = action, warning, children } = props
  const { isDangerous = true, onSent } = props
  const { reset, ...command } = useSend(call, props.onDone)
  // Safe: these are the arguments and the result of the call. The types of the library are not resolved here.
  const send = command as unknown as Sender<ArgumentsOf<Called>, ResultOf<Called>>
  const className = props.class ?? (isDangerous ? 'quiet danger' : 'main')
  const open = () => {
    reset()
    props.onOpen?.()
  }
  return (
    <DialogButton label={action} about={about} class={className} onOpen={open}>
      {(close) => (
        <FormDialog
          {...{ title, isDangerous, send }}
          action={submit}
          read={(form) => (typeof args === 'function' ? args(form) : args)}
          onSent={(result) => {
            close()
            onSent?.(result)
          }}
          onClose={close}
        >
          {warning && <p class="field">{warning}</p>}
          {children}
        </FormDialog>
      )}
    </DialogButton>
  )
}

const useTexts = createTexts(
  { reason: 'Reason', hint: 'Recorded in the audit log.' },
  { reason: 'Motif', hint: 'Enregistré dans le journal d’audit.' },
)

/** Maximum number of characters. The API refuses longer reasons. */
const maxReason = 500

/** A field for the reason for a decision. `FormReader.reason` reads it. */
export function ReasonField() {
  const t = useTexts()
  return <TextField label={t.reason} hint={t.hint} name="reason" max={maxReason} isRequired />
}
