import { inLanguages, type Texts } from '../text/texts.ts'

/** A page of the console. If it has a permission, only users with that permission can open it. */
export type Address<Path extends string = string> = {
  /** Path relative to the Space and environment. */
  path: Path
  permission: string | undefined
  /** Label of the page in the tabs of its section. Pages without a label are opened from other pages. */
  label?: Texts<string>
}

export type SectionId =
  | 'home'
  | 'payments'
  | 'payouts'
  | 'customers'
  | 'balances'
  | 'close'
  | 'developers'
  | 'settings'
  | 'installation'

/** An entry of the menu. Its pages that have a label are its tabs. */
export type MenuSection<Path extends string = string> = {
  id: SectionId
  label: Texts<string>
  pages: readonly Address<Path>[]
}

const section = <Path extends string>(
  id: SectionId,
  en: string,
  fr: string,
  pages: readonly Address<Path>[],
): MenuSection<Path> => ({ id, label: inLanguages(en, fr), pages })

const tab = <Path extends string>(
  path: Path,
  en: string,
  fr: string,
  permission?: string,
): Address<Path> => ({ path, permission, label: inLanguages(en, fr) })

const page = <Path extends string>(path: Path, permission?: string): Address<Path> => ({ path, permission })

const menu = [
  section('home', 'Home', 'Accueil', [tab('/', 'Home', 'Accueil')]),
  section('payments', 'Payments', 'Paiements', [
    tab('/payments', 'Payments', 'Paiements', 'payments:read'),
    page('/payments/:id', 'payments:read'),
    tab('/refunds', 'Refunds', 'Remboursements', 'refunds:read'),
    page('/refunds/:id', 'refunds:read'),
    tab('/checkout-sessions', 'Checkout pages', 'Pages de paiement', 'checkout-sessions:read'),
    page('/checkout-sessions/new', 'checkout-sessions:write'),
    page('/checkout-sessions/:id', 'checkout-sessions:read'),
    tab('/payment-links', 'Payment links', 'Liens de paiement', 'payment-links:read'),
    page('/payment-links/new', 'payment-links:write'),
    page('/payment-links/:id', 'payment-links:read'),
    tab('/payment-codes', 'Payment codes', 'Codes de paiement', 'payment-codes:read'),
    page('/payment-codes/new', 'payment-codes:write'),
    page('/payment-codes/:id', 'payment-codes:read'),
    tab('/receipts', 'Receipts', 'Reçus', 'receipts:read'),
    page('/receipts/:orderNumber', 'receipts:read'),
  ]),
  section('payouts', 'Payouts', 'Versements', [
    tab('/payouts', 'Payouts', 'Versements', 'payouts:read'),
    page('/payouts/new', 'payouts:write'),
    page('/payouts/:id', 'payouts:read'),
    tab('/payout-batches', 'Batches', 'Lots', 'payouts:read'),
    page('/payout-batches/new', 'payouts:write'),
    page('/payout-batches/:id', 'payouts:read'),
    tab('/approvals', 'Approvals', 'Approbations', 'payouts:approve'),
    tab('/recalls', 'Recalls', 'Rappels de fonds', 'payouts:read'),
    page('/recalls/:id', 'payouts:read'),
  ]),
  section('customers', 'Customers', 'Clients', [tab('/payers', 'Customers', 'Clients', 'payments:read')]),
  section('balances', 'Balances', 'Soldes', [
    tab('/financial-accounts', 'Accounts', 'Comptes', 'financial-accounts:read'),
    page('/financial-accounts/:id', 'financial-accounts:read'),
    tab('/internal-transfers', 'Transfers', 'Virements', 'internal-transfers:read'),
    page('/internal-transfers/new', 'internal-transfers:write'),
    page('/internal-transfers/:id', 'internal-transfers:read'),
    tab('/financial-transactions', 'Transactions', 'Écritures', 'financial-transactions:read'),
    tab('/cases', 'Cases', 'Dossiers', 'financial-transactions:read'),
    page('/cases/:id', 'financial-transactions:read'),
  ]),
  section('close', 'Close the month', 'Clôture du mois', [
    tab('/close', 'Month-end', 'Fin de mois', 'balances:read'),
    tab('/reports', 'Reports', 'Rapports', 'balances:read'),
    tab('/settlements', 'Settlements', 'Règlements', 'settlements:read'),
    page('/settlements/:id', 'settlements:read'),
    tab('/reconciliation', 'Reconciliation', 'Rapprochement', 'balances:read'),
  ]),
  section('developers', 'Developers', 'Développeurs', [
    tab('/webhooks', 'Webhooks', 'Webhooks', 'webhooks:read'),
    page('/webhooks/:id', 'webhooks:read'),
    page('/deliveries/:id', 'webhooks:read'),
    tab('/events', 'Events', 'Événements', 'events:read'),
    page('/events/:id', 'events:read'),
    tab('/access-tokens', 'Access tokens', 'Jetons d’accès', 'access-tokens:read'),
    tab('/requests', 'Requests', 'Requêtes', 'requests:read'),
    page('/requests/:id', 'requests:read'),
    tab('/try', 'Test tools', 'Outils de test', 'checkout-sessions:read'),
  ]),
  section('settings', 'Settings', 'Paramètres', [
    tab('/settings', 'Settings', 'Paramètres', 'settings:read'),
    tab('/team', 'Team', 'Équipe', 'members:read'),
    tab('/audit', 'Audit log', 'Journal d’audit', 'audit:read'),
    tab('/personal-data', 'Personal data', 'Données personnelles', 'personal-data:read'),
    tab('/security', 'Security', 'Sécurité'),
    tab('/go-live', 'Go live', 'Mise en production', 'settings:read'),
  ]),
  section('installation', 'Installation', 'Installation', [
    tab('/installation/health', 'Health', 'État du service', 'installation:read'),
    tab('/installation/providers', 'Providers', 'Prestataires', 'installation:read'),
    page('/installation/providers/:connection', 'installation:read'),
    tab('/installation/close', 'Month-end', 'Fin de mois', 'installation:read'),
    tab('/installation/reconciliation', 'Reconciliation', 'Rapprochement', 'installation:read'),
    tab('/installation/spaces', 'Spaces', 'Spaces', 'installation:read'),
    page('/installation/spaces/:id', 'installation:read'),
  ]),
]

/** Path of a page, relative to the Space and environment. */
export type PagePath = (typeof menu)[number]['pages'][number]['path']

/** The sections of the console and their pages, in the order of the menu and of the tabs. */
export const sections: readonly MenuSection<PagePath>[] = menu

/** All pages of the console. */
export const addresses: readonly Address<PagePath>[] = sections.flatMap(({ pages }) => pages)

/** Returns whether a path belongs to an address. A parameter, such as `:id`, matches any value. */
export const hasPath = ({ path }: Address, to: string): boolean =>
  new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`).test(to.replace(/\?.*/s, ''))

/** Returns the section that contains a page, and its tab: the page itself, or the tab above it. */
export function placeOf(to: string): { section: MenuSection; tab: Address | undefined } | undefined {
  for (const section of sections) {
    const index = section.pages.findIndex((address) => hasPath(address, to))
    if (index < 0) continue
    return {
      section,
      tab: section.pages
        .slice(0, index + 1)
        .reverse()
        .find(({ label }) => label),
    }
  }
  return undefined
}
