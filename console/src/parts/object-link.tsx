import type { ComponentChildren } from 'preact'
import { PageLink } from './links.tsx'

/** The page for each type of object, by the prefix of the object's ID. */
const pagesOf: Record<string, string> = {
  cas: '/cases',
  pay: '/payments',
  pyt: '/payouts',
  rcl: '/recalls',
  rfd: '/refunds',
  stl: '/settlements',
  trn: '/internal-transfers',
}

/** An object's ID or name, with a link if it has a page. */
export function ObjectLink({
  id,
  children = <code>{id}</code>,
}: {
  id: string
  children?: ComponentChildren
}) {
  const page = pagesOf[id.slice(0, 3)]
  if (!page) return <>{children}</>
  return <PageLink to={`${page}/${id}`}>{children}</PageLink>
}
