import type { ComponentChildren } from 'preact'
import { Link } from 'wouter-preact'
import { usePermissions } from '../api/scope.tsx'
import { useWords } from '../text/words.ts'
import { addresses, hasPath } from './addresses.ts'

/** Returns a function that returns true if there is a page with the given path and the user can open it. */
export function useCanOpen(): (to: string) => boolean {
  const may = usePermissions()
  return (to) => {
    const address = addresses.find((each) => hasPath(each, to))
    return address !== undefined && (!address.permission || may(address.permission))
  }
}

/** `to` is the path to open, including its query. */
type PageLinkProps = { to: string; children: ComponentChildren }

/** A link to a page, or plain text if the user cannot open it. */
export function PageLink({ to, children }: PageLinkProps) {
  return useCanOpen()(to) ? <Link href={to}>{children}</Link> : <span>{children}</span>
}

/** A link to the full list, which is shown only if the user can open it. */
export function MoreLink({ to, children }: { to: string; children?: ComponentChildren }) {
  const { showAll } = useWords()
  return useCanOpen()(to) ? <Link href={to}>{children ?? showAll}</Link> : null
}

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

/** A phone number with a link to its activity. */
export function PayerLink({ phone, children }: { phone: string; children?: string }) {
  return <PageLink to={`/payers?phoneNumber=${encodeURIComponent(phone)}`}>{children ?? phone}</PageLink>
}
