import type { ComponentChildren } from 'preact'
import { Link } from 'wouter-preact'
import { useMay } from '../api/scope.tsx'
import { type Address, addresses } from '../pages/addresses.ts'

/** Whether there is a page that whoever is signed in may see, by its path in the list of addresses. */
export function useCanOpen(): (path: string) => boolean {
  const may = useMay()
  const all: readonly Address[] = addresses
  return (path) =>
    all.some((address) => address.path === path && (!address.permission || may(address.permission)))
}

type PageLinkProps = {
  /** With its query. */
  to: string
  page: string
  children: ComponentChildren
}

/** A link to a page, or only its words where the page is not to be seen. */
export function PageLink({ to, page, children }: PageLinkProps) {
  return useCanOpen()(page) ? <Link href={to}>{children}</Link> : <span>{children}</span>
}

/** The way to all of what a section shows a part of, for whom there is one. */
export function MoreLink({ to, page, children }: PageLinkProps) {
  return useCanOpen()(page) ? <Link href={to}>{children}</Link> : null
}
