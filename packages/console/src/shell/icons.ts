import {
  CalendarCheck,
  CodeXml,
  CreditCard,
  House,
  type LucideIcon,
  Scale,
  Send,
  Server,
  Settings,
  Users,
} from 'lucide-preact'
import type { SectionId } from '../parts/addresses.ts'

/** The icon of each entry of the menu. */
export const icons: Record<SectionId, LucideIcon> = {
  home: House,
  payments: CreditCard,
  payouts: Send,
  customers: Users,
  balances: Scale,
  close: CalendarCheck,
  developers: CodeXml,
  settings: Settings,
  installation: Server,
}
