import type { ComponentChildren } from 'preact'
import { Link } from 'wouter-preact'
import { usePermissions } from '../api/scope.tsx'
import { type Address, addresses } from './addresses.ts'

/** Returns a function that returns true if the user can open the page with the given path in `addresses`. */
export function useCanOpen(): (path: string) => boolean {
  const may = usePermissions()
  const all: readonly Address[] = addresses
  return (path) =>
    all.some((address) => address.path === path && (!address.permission || may(address.permission)))
}

type PageLinkProps = {
  /** Path to open, including its query. */
  to: string
  page: string
  children: ComponentChildren
}

/** A link to a page, or plain text if the user cannot open it. */
export function PageLink({ to, page, children }: PageLinkProps) {
  return useCanOpen()(page) ? <Link href={to}>{children}</Link> : <span>{children}</span>
}

/** A link to the full list, which is shown only if the user can open it. */
export function MoreLink({ to, page, children }: PageLinkProps) {
  return useCanOpen()(page) ? <Link href={to}>{children}</Link> : null
}
