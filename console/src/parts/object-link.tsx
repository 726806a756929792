import { PageLink } from './links.tsx'

/** By the prefix of its id. */
const pagesOf: Record<string, string> = {
  pay: '/payments',
  pyt: '/payouts',
  rcl: '/recalls',
  rfd: '/refunds',
  stl: '/settlements',
}

/** An object by its id, and the way to it where there is one. */
export function ObjectLink({ id }: { id: string }) {
  const page = pagesOf[id.slice(0, 3)]
  if (!page) return <code>{id}</code>
  return (
    <PageLink to={`${page}/${id}`} page={`${page}/:id`}>
      <code>{id}</code>
    </PageLink>
  )
}
