import { useLayoutEffect, useRef, useState } from 'preact/hooks'

/** Texts of the fields of a form, by name. */
export type Values = Readonly<Record<string, string>>

/**
 * Keeps track of the changes in a form with these saved texts. Fields that the user has not changed follow the
 * saved texts. `ref` belongs to an element inside the form.
 */
export function useDraft(saved: Values) {
  const ref = useRef<HTMLDivElement>(null)
  const [{ base, typed }, setDraft] = useState({ base: saved, typed: saved })
  const read = (names: Values) =>
    Object.fromEntries(
      Object.keys(names).map((name) => [name, fieldIn(ref.current, name)?.value.trim() ?? '']),
    )
  /** Shows the texts in the fields whose text is the one in `replaced`. */
  const show = (next: Values, replaced: Values | undefined) => {
    for (const [name, value] of Object.entries(next)) {
      const field = fieldIn(ref.current, name)
      if (field && (!replaced || field.value.trim() === replaced[name])) field.value = value
    }
    setDraft({ base: next, typed: read(next) })
  }
  useLayoutEffect(() => {
    if (JSON.stringify(saved) !== JSON.stringify(base)) show(saved, base)
  }, [JSON.stringify(saved)])
  return {
    ref,
    base,
    typed,
    isChanged: (...names: string[]) => names.some((name) => typed[name] !== base[name]),
    /** Call this whenever the user types. */
    follow: () => setDraft({ base, typed: read(base) }),
    /** Call this after the texts in `sent` have been saved as `next`. */
    accept: (next: Values, sent: Values) => show(next, sent),
    /** Undoes the changes of the user. */
    reset: () => show(base, undefined),
  }
}

type TextControl = HTMLInputElement | HTMLSelectElement

function fieldIn(element: HTMLElement | null, name: string): TextControl | undefined {
  const field = element?.closest('form')?.elements.namedItem(name)
  return field instanceof HTMLInputElement || field instanceof HTMLSelectElement ? field : undefined
}

/** Types a text into a field, as if the user had done it. */
export function typeInto(element: HTMLElement, name: string, text: string): void {
  const field = fieldIn(element, name)
  if (!field) return
  field.value = text
  field.dispatchEvent(new Event('input', { bubbles: true }))
}
