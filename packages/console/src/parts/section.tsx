import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

type Props = {
  title: string
  /** A link or button next to the title. */
  more?: ComponentChildren
  children: ComponentChildren
}

/** A titled section of a page. */
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
