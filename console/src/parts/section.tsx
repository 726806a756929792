import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

type Props = {
  title: string
  /** Beside the title: a way on. */
  more?: ComponentChildren
  children: ComponentChildren
}

/** A part of a page that has a name. */
export function Section({ title, more, children }: Props) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <div class="title">
        <h2 id={id}>{title}</h2>
        {more && <div class="actions">{more}</div>}
      </div>
      {children}
    </section>
  )
}
