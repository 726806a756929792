import { PageLink } from './links.tsx'

/** A phone number with a link to its activity. */
export function PayerLink({ phone, children }: { phone: string; children?: string }) {
  return <PageLink to={`/payers?phoneNumber=${encodeURIComponent(phone)}`}>{children ?? phone}</PageLink>
}
