import { type ComponentChildren, createContext } from 'preact'
import { useContext, useId, useLayoutEffect } from 'preact/hooks'
import { issueAt } from '../api/errors.ts'
import { useRefusalTranslation } from '../text/refusals.ts'

type FormState = {
  /** The error with which the service refused the form. */
  error: Error | null
  /** Messages for invalid fields, by field name. */
  issues: Readonly<Record<string, string>>
  /** Paths whose errors are shown next to a field. */
  paths: Set<string>
}

/** The state of the form that contains a field. */
export const FormContext = createContext<FormState>({ error: null, issues: {}, paths: new Set() })

type Controls = { id: string; name?: string; 'aria-describedby'?: string; 'aria-invalid'?: true }

export type FieldProps = {
  label: string
  /** Name of the control in the form. */
  name?: string
  /** Path of the value in the request, if it differs from the name. Errors at this path are shown here. */
  at?: string
  hint?: string | undefined
  /** Error to show instead of the form's. */
  issue?: string | undefined
  children(controls: Controls): ComponentChildren
}

/** A labelled control with a hint and an error. */
export function Field({ label, name, at = name, hint, issue: ownIssue, children }: FieldProps) {
  const id = useId()
  const translate = useRefusalTranslation()
  const { error, issues, paths } = useContext(FormContext)
  const issue = ownIssue ?? (name && issues[name]) ?? (at && issueAt(error, at))
  useLayoutEffect(() => {
    if (!at) return undefined
    paths.add(at)
    return () => void paths.delete(at)
  }, [at])
  const described = hint || issue ? { 'aria-describedby': `${id}-note` } : {}
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, ...(name && { name }), ...described, ...(issue && { 'aria-invalid': true as const }) })}
      {(hint || issue) && (
        <p id={`${id}-note`} class={issue ? 'fault' : 'muted'}>
          {issue ? translate(issue) : hint}
        </p>
      )}
    </div>
  )
}

/**
 * Returns the options of a select, given their labels by value. `initial` is the value that is selected initially.
 */
export const optionsOf = (choices: Record<string, string>, initial?: string) =>
  Object.entries(choices).map(([value, words]) => (
    <option value={value} key={value} selected={value === initial || undefined}>
      {words}
    </option>
  ))
