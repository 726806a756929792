import { PageLink } from './links.tsx'

/** A number, and the way to all that it paid and was paid. */
export function PayerLink({ phone, children }: { phone: string; children?: string }) {
  return (
    <PageLink to={`/payers?phoneNumber=${encodeURIComponent(phone)}`} page="/payers">
      {children ?? phone}
    </PageLink>
  )
}
