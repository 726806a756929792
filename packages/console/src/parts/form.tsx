import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { useTexts } from '../text/languages.tsx'
import { useRefusalTranslation } from '../text/refusals.ts'
import { inLanguages } from '../text/texts.ts'
import { CopyText } from './copy.tsx'
import { ErrorNotice } from './notices.tsx'

const texts = inLanguages({ cancel: 'Cancel', close: 'Close' }, { cancel: 'Annuler', close: 'Fermer' })

type Controls = { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true }

type FieldProps = {
  label: string
  hint?: string | undefined
  issue?: string | undefined
  children(controls: Controls): ComponentChildren
}

/** A labelled control with a hint and an error. */
export function Field({ label, hint, issue, children }: FieldProps) {
  const id = useId()
  const translate = useRefusalTranslation()
  const described = hint || issue ? { 'aria-describedby': `${id}-note` } : {}
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, ...described, ...(issue && { 'aria-invalid': true as const }) })}
      {(hint || issue) && (
        <p id={`${id}-note`} class={issue ? 'fault' : 'muted'}>
          {issue ? translate(issue) : hint}
        </p>
      )}
    </div>
  )
}

type TextFieldProps = Omit<FieldProps, 'children'> & {
  name: string
  /** Maximum number of characters. */
  max: number
  type?: 'text' | 'url' | 'tel'
  inputMode?: 'decimal' | 'numeric'
  isRequired?: boolean
  initial?: string
}

/** A single-line text field. */
export function TextField(props: TextFieldProps) {
  const { name, max, type = 'text', inputMode, isRequired = false, initial = '', ...field } = props
  return (
    <Field {...field}>
      {(controls) => (
        <input
          {...controls}
          name={name}
          type={type}
          {...(inputMode && { inputMode })}
          required={isRequired}
          maxLength={max}
          autoComplete="off"
          defaultValue={initial}
        />
      )}
    </Field>
  )
}

type ChoiceFieldProps = Omit<FieldProps, 'children'> & {
  name: string
  /** Labels of the options by value. */
  choices: Record<string, string>
  initial?: string
  /** Whether the user must choose an option other than the empty one. */
  isRequired?: boolean
  onChange?(value: string): void
}

/** A select field. */
export function ChoiceField(props: ChoiceFieldProps) {
  const { name, choices, initial, isRequired = false, onChange, ...field } = props
  return (
    <Field {...field}>
      {(controls) => (
        <select
          {...controls}
          name={name}
          defaultValue={initial}
          required={isRequired}
          onChange={(event) => onChange?.(event.currentTarget.value)}
        >
          {Object.entries(choices).map(([value, words]) => (
            <option value={value} key={value}>
              {words}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

type PageFormProps = {
  /** Label of the submit button, which should be a verb. */
  action: string
  isBusy?: boolean
  error?: Error | null
  onSubmit(fields: FormData): void
  children: ComponentChildren
}

/** The main form of a page. */
export function PageForm({ action, isBusy = false, error = null, onSubmit, children }: PageFormProps) {
  return (
    <form
      class="narrow"
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit(new FormData(event.currentTarget))
      }}
    >
      {children}
      <ErrorNotice error={error} />
      <button type="submit" class="main" disabled={isBusy}>
        {action}
      </button>
    </form>
  )
}

type DialogProps = {
  title: string
  onClose(): void
  children: ComponentChildren
}

/** A modal dialog. The browser traps focus in it, and Escape closes it. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const isUnmounted = useRef(false)
  const titleId = useId()
  // A layout effect opens the dialog before the user can see it or press a key.
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => {
      // Closing the dialog returns focus to the element that opened it; merely removing it would not. The close
      // event is ignored here, because the user did not cause it.
      isUnmounted.current = true
      element?.close()
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      class="dialog"
      aria-labelledby={titleId}
      onClose={() => isUnmounted.current || onClose()}
    >
      <h2 id={titleId}>{title}</h2>
      {children}
    </dialog>
  )
}

type FormDialogProps = DialogProps & {
  /** Label of the submit button, which should be a verb. */
  action: string
  isDangerous?: boolean
  isBusy: boolean
  error: Error | null
  onSubmit(fields: FormData): void
}

/** A dialog with a form in which the user enters the arguments of a command. */
export function FormDialog(props: FormDialogProps) {
  const { title, onClose, children, action, isDangerous = false, isBusy, error, onSubmit } = props
  const t = useTexts(texts)
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          onSubmit(new FormData(event.currentTarget))
        }}
      >
        {children}
        <ErrorNotice error={error} />
        <div class="actions">
          <button type="submit" class={isDangerous ? 'main danger' : 'main'} disabled={isBusy}>
            {action}
          </button>
          <button type="button" class="quiet" onClick={onClose}>
            {t.cancel}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

type SecretDialogProps = {
  title: string
  /** Text that explains what the secret is for and that it is shown only once. */
  notice: string
  secret: string
  onClose(): void
}

/** A dialog that shows a secret once. It stays open until the user closes it. */
export function SecretDialog({ title, notice, secret, onClose }: SecretDialogProps) {
  const t = useTexts(texts)
  return (
    <Dialog title={title} onClose={onClose}>
      <p class="notice">{notice}</p>
      <CopyText text={secret} />
      <div class="actions">
        <button type="button" class="main" onClick={onClose}>
          {t.close}
        </button>
      </div>
    </Dialog>
  )
}
