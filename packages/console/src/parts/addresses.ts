import { inLanguages, type Texts } from '../text/texts.ts'

export type PageGroup = 'money' | 'finance' | 'build' | 'space' | 'installation'

/**
 * A page of the console. If it has a permission, only users with that permission can open it. If it has a
 * label, it is listed in the menu.
 */
export type Address<Path extends string = string> = {
  /** Path relative to the Space and environment. */
  path: Path
  permission: string | undefined
  group?: PageGroup | undefined
  label?: Texts<string>
}

const page = <Path extends string>(path: Path, permission?: string): Address<Path> => ({ path, permission })

const listed = <Path extends string>(
  path: Path,
  en: string,
  fr: string,
  group?: PageGroup,
  permission?: string,
): Address<Path> => ({ path, permission, group, label: inLanguages(en, fr) })

/** The pages of the console, in the order of the menu. */
export const addresses = [
  listed('/', 'Home', 'Accueil'),
  listed('/payments', 'Payments', 'Paiements', 'money', 'payments:read'),
  page('/payments/:id', 'payments:read'),
  listed('/refunds', 'Refunds', 'Remboursements', 'money', 'refunds:read'),
  page('/refunds/:id', 'refunds:read'),
  listed('/checkout-sessions', 'Checkout pages', 'Pages de paiement', 'money', 'checkout-sessions:read'),
  page('/checkout-sessions/new', 'checkout-sessions:write'),
  page('/checkout-sessions/:id', 'checkout-sessions:read'),
  listed('/payment-links', 'Payment links', 'Liens de paiement', 'money', 'payment-links:read'),
  page('/payment-links/new', 'payment-links:write'),
  page('/payment-links/:id', 'payment-links:read'),
  listed('/payment-codes', 'Payment codes', 'Codes de paiement', 'money', 'payment-codes:read'),
  page('/payment-codes/new', 'payment-codes:write'),
  page('/payment-codes/:id', 'payment-codes:read'),
  listed('/payers', 'Phone lookup', 'Par téléphone', 'money', 'payments:read'),
  listed('/receipts', 'Receipts', 'Reçus', 'money', 'receipts:read'),
  page('/receipts/:orderNumber', 'receipts:read'),
  listed('/payouts', 'Payouts', 'Versements', 'finance', 'payouts:read'),
  page('/payouts/new', 'payouts:write'),
  page('/payouts/:id', 'payouts:read'),
  listed('/payout-batches', 'Payout batches', 'Lots de versements', 'finance', 'payouts:read'),
  page('/payout-batches/new', 'payouts:write'),
  page('/payout-batches/:id', 'payouts:read'),
  listed('/approvals', 'Approvals', 'Approbations', 'finance', 'payouts:approve'),
  listed('/recalls', 'Recalls', 'Rappels de fonds', 'finance', 'payouts:read'),
  page('/recalls/:id', 'payouts:read'),
  listed('/financial-accounts', 'Accounts', 'Comptes', 'finance', 'financial-accounts:read'),
  page('/financial-accounts/:id', 'financial-accounts:read'),
  listed('/internal-transfers', 'Transfers', 'Virements', 'finance', 'internal-transfers:read'),
  page('/internal-transfers/new', 'internal-transfers:write'),
  page('/internal-transfers/:id', 'internal-transfers:read'),
  listed('/reports', 'Reports', 'Rapports', 'finance', 'balances:read'),
  listed('/settlements', 'Settlements', 'Règlements', 'finance', 'settlements:read'),
  page('/settlements/:id', 'settlements:read'),
  listed('/reconciliation', 'Reconciliation', 'Rapprochement', 'finance', 'balances:read'),
  listed('/financial-transactions', 'Transactions', 'Écritures', 'finance', 'financial-transactions:read'),
  listed('/cases', 'Cases', 'Dossiers', 'finance', 'financial-transactions:read'),
  page('/cases/:id', 'financial-transactions:read'),
  listed('/webhooks', 'Webhooks', 'Webhooks', 'build', 'webhooks:read'),
  page('/webhooks/:id', 'webhooks:read'),
  page('/deliveries/:id', 'webhooks:read'),
  listed('/events', 'Events', 'Événements', 'build', 'events:read'),
  page('/events/:id', 'events:read'),
  listed('/access-tokens', 'Access tokens', 'Jetons d’accès', 'build', 'access-tokens:read'),
  listed('/requests', 'Requests', 'Requêtes', 'build', 'requests:read'),
  page('/requests/:id', 'requests:read'),
  listed('/try', 'Test tools', 'Outils de test', 'build', 'checkout-sessions:read'),
  listed('/team', 'Team', 'Équipe', 'space', 'members:read'),
  listed('/audit', 'Audit log', 'Journal d’audit', 'space', 'audit:read'),
  listed('/settings', 'Settings', 'Paramètres', 'space', 'settings:read'),
  listed('/installation/health', 'Health', 'État du service', 'installation', 'installation:read'),
  listed('/installation/providers', 'Providers', 'Prestataires', 'installation', 'installation:read'),
  page('/installation/providers/:connection', 'installation:read'),
  listed(
    '/installation/reconciliation',
    'Reconciliation',
    'Rapprochement',
    'installation',
    'installation:read',
  ),
  listed('/installation/spaces', 'Spaces', 'Spaces', 'installation', 'installation:read'),
  page('/installation/spaces/:id', 'installation:read'),
  page('/security'),
]
