import type { ComponentChildren } from 'preact'
import { statusOf } from '../api/errors.ts'
import { createTexts } from '../text/languages.tsx'
import { ErrorNotice } from './notices.tsx'
import { PageHead } from './page.tsx'

const useTexts = createTexts(
  { notFound: 'Page not found', failed: 'This page cannot be shown' },
  { notFound: 'Page introuvable', failed: 'Cette page ne peut pas être affichée' },
)

type Props = { title: string; children?: ComponentChildren }

/** A page that only explains why there is nothing to show. */
export function DeadEnd({ title, children }: Props) {
  return (
    <>
      <PageHead title={title} />
      {children}
    </>
  )
}

/** A page that is shown if its data could not be read. */
export function ErrorPage({ error }: { error: Error }) {
  const t = useTexts()
  return (
    <DeadEnd title={statusOf(error) === 404 ? t.notFound : t.failed}>
      <ErrorNotice error={error} />
    </DeadEnd>
  )
}
