import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { Link } from 'wouter-preact'

type HeadProps = {
  title: string
  /** The parent page, if there is one. */
  above?: { title: string; path: string }
  children?: ComponentChildren
}

/** The title of a page and its actions. */
export function PageHead({ title, above, children }: HeadProps) {
  useEffect(() => {
    document.title = `${title} · Pesewa`
  }, [title])
  return (
    <div class="head">
      {above && (
        <p class="above">
          <Link href={above.path}>{above.title}</Link>
        </p>
      )}
      <div class="title">
        <h1>{title}</h1>
        <div class="actions">{children}</div>
      </div>
    </div>
  )
}
