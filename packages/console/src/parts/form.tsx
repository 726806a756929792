import type { ComponentChildren } from 'preact'
import { useContext, useState } from 'preact/hooks'
import { issueAt } from '../api/errors.ts'
import { CurrentSpaceContext } from '../api/scope.tsx'
import { useWords } from '../text/words.ts'
import { CopyText } from './copy.tsx'
import { usePhoneExample } from './country.ts'
import { Dialog, type DialogProps } from './dialog.tsx'
import { Field, type FieldProps, FormContext, optionsOf } from './field.tsx'
import { type FormReader, readForm } from './form-reader.ts'
import { ErrorNotice } from './notices.tsx'

type NamedFieldProps = Omit<FieldProps, 'children'> & { name: string }

type TextFieldProps = NamedFieldProps & {
  /** Minimum number of characters. */
  min?: number
  /** Maximum number of characters. */
  max?: number
  type?: 'text' | 'url' | 'tel' | 'email' | 'date' | 'datetime-local'
  inputMode?: 'decimal' | 'numeric'
  isRequired?: boolean
  initial?: string | undefined
  /** Called with the text after every keystroke. */
  onType?(text: string): void
}

/** A single-line text field. */
export function TextField(props: TextFieldProps) {
  const { min, max, type = 'text', inputMode, isRequired = false, initial = '', onType, ...field } = props
  return (
    <Field {...field}>
      {(controls) => (
        <input
          {...controls}
          type={type}
          {...(inputMode && { inputMode })}
          required={isRequired}
          {...(min && { minLength: min })}
          {...(max && { maxLength: max })}
          autoComplete="off"
          defaultValue={initial}
          onInput={(event) => onType?.(event.currentTarget.value)}
        />
      )}
    </Field>
  )
}

/** A field for an amount. */
export const AmountField = (props: Omit<TextFieldProps, 'max' | 'type' | 'inputMode'>) => (
  <TextField {...props} max={24} inputMode="decimal" />
)

/** A field for a phone number, with an example from the Space's country. */
export function PhoneField(props: Omit<TextFieldProps, 'max' | 'type' | 'hint'>) {
  const t = useWords()
  return <TextField {...props} type="tel" hint={t.phoneHint(usePhoneExample())} max={32} />
}

type ChoiceFieldProps = NamedFieldProps & {
  /** Labels of the options by value. */
  choices: Record<string, string>
  initial?: string
  /** Whether the user must choose an option other than the empty one. */
  isRequired?: boolean
  onChange?(value: string): void
}

/** A select field. */
export function ChoiceField(props: ChoiceFieldProps) {
  const { choices, initial, isRequired = false, onChange, ...field } = props
  return (
    <Field {...field}>
      {(controls) => (
        <select
          {...controls}
          required={isRequired}
          onChange={(event) => onChange?.(event.currentTarget.value)}
        >
          {optionsOf(choices, initial)}
        </select>
      )}
    </Field>
  )
}

/** Sends what a form contains, such as a command from `useSend`. */
export type Sender<Input, Result> = {
  mutate(input: Input, options?: { onSuccess?(result: Result): void }): void
  isPending: boolean
  error: Error | null
}

type SentForm<Input, Result> = {
  send: Sender<Input, Result>
  /** Reads the form. Nothing is sent if this records an issue or returns `undefined`. */
  read(form: FormReader): Input | undefined | Promise<Input | undefined>
  onSent?: ((result: Result) => void) | undefined
  children: ComponentChildren
}

type FormProps<Input, Result> = SentForm<Input, Result> & {
  class?: string
  onInput?(form: FormReader): void
}

/** A form that sends what it contains, and shows errors next to the fields that they concern. */
export function Form<const Input, Result>(props: FormProps<Input, Result>) {
  const { send, read, onSent, class: className, onInput, children } = props
  const t = useWords()
  const country = useContext(CurrentSpaceContext)?.space.country ?? ''
  const [issues, setIssues] = useState<FormReader['issues']>({})
  const [paths] = useState(() => new Set<string>())
  const readerOf = (form: HTMLFormElement) => readForm(new FormData(form), country, t)
  const submit = async (form: FormReader) => {
    const input = await read(form)
    setIssues(form.issues)
    if (input !== undefined && Object.keys(form.issues).length === 0)
      send.mutate(input, { onSuccess: (result) => onSent?.(result) })
  }
  return (
    <FormContext.Provider value={{ error: send.error, issues, paths }}>
      <form
        class={className}
        onInput={(event) => onInput?.(readerOf(event.currentTarget))}
        onSubmit={(event) => {
          event.preventDefault()
          void submit(readerOf(event.currentTarget))
        }}
      >
        {children}
      </form>
    </FormContext.Provider>
  )
}

/** Shows the error of the form, without the details that its fields show. */
export function FormError() {
  const { error, paths } = useContext(FormContext)
  // Fields can be rendered later than this, so the errors that they will show are recorded here.
  for (const path of paths) issueAt(error, path)
  return <ErrorNotice error={error} />
}

type PageFormProps<Input, Result> = SentForm<Input, Result> & {
  /** Label of the submit button, which should be a verb. */
  action: string
}

/** The main form of a page. */
export function PageForm<const Input, Result>({ action, children, ...form }: PageFormProps<Input, Result>) {
  return (
    <Form {...form} class="narrow">
      {children}
      <FormError />
      <button type="submit" class="main" disabled={form.send.isPending}>
        {action}
      </button>
    </Form>
  )
}

/** Returns a sender for forms whose content stays in the browser. */
export const locally = <Input,>(mutate: (input: Input) => void) => ({ mutate, isPending: false, error: null })

/** Leaves a dialog open after its command has succeeded, to show the result. */
export const stayOpen = () => {}

type FormDialogProps<Input, Result> = Omit<DialogProps, 'children'> &
  PageFormProps<Input, Result> & { isDangerous?: boolean }

/** A dialog with a form for the arguments of a command. By default, it closes after the command succeeds. */
export function FormDialog<const Input, Result>(props: FormDialogProps<Input, Result>) {
  const { title, onClose, onSent = onClose, children, action, isDangerous = false, ...form } = props
  const t = useWords()
  return (
    <Dialog title={title} onClose={onClose}>
      <Form {...form} onSent={onSent}>
        {children}
        <FormError />
        <div class="actions">
          <button type="submit" class={isDangerous ? 'main danger' : 'main'} disabled={form.send.isPending}>
            {action}
          </button>
          <button type="button" class="quiet" onClick={onClose}>
            {t.cancel}
          </button>
        </div>
      </Form>
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
  const t = useWords()
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
