import { inLanguages, type Texts } from '../text/texts.ts'

export type PageGroup = 'money' | 'finance' | 'build' | 'space' | 'installation'

/**
 * A page of the console. If it has a permission, only users with that permission can open it. If it has a
 * label, it is listed in the menu.
 */
export type Address = {
  /** Path relative to the Space and environment. */
  path: string
  permission?: string | undefined
  group?: PageGroup
  label?: Texts<string>
}

/** The pages of the console, in the order of the menu. */
export const addresses = [
  { path: '/', permission: undefined, label: inLanguages('Home', 'Accueil') },
  {
    path: '/payments',
    permission: 'payments:read',
    group: 'money',
    label: inLanguages('Payments', 'Paiements'),
  },
  { path: '/payments/:id', permission: 'payments:read' },
  {
    path: '/refunds',
    permission: 'refunds:read',
    group: 'money',
    label: inLanguages('Refunds', 'Remboursements'),
  },
  { path: '/refunds/:id', permission: 'refunds:read' },
  {
    path: '/checkout-sessions',
    permission: 'checkout-sessions:read',
    group: 'money',
    label: inLanguages('Checkout pages', 'Pages de paiement'),
  },
  { path: '/checkout-sessions/new', permission: 'checkout-sessions:write' },
  { path: '/checkout-sessions/:id', permission: 'checkout-sessions:read' },
  {
    path: '/payment-links',
    permission: 'payment-links:read',
    group: 'money',
    label: inLanguages('Payment links', 'Liens de paiement'),
  },
  { path: '/payment-links/new', permission: 'payment-links:write' },
  { path: '/payment-links/:id', permission: 'payment-links:read' },
  {
    path: '/payment-codes',
    permission: 'payment-codes:read',
    group: 'money',
    label: inLanguages('Payment codes', 'Codes de paiement'),
  },
  { path: '/payment-codes/new', permission: 'payment-codes:write' },
  { path: '/payment-codes/:id', permission: 'payment-codes:read' },
  {
    path: '/payers',
    permission: 'payments:read',
    group: 'money',
    label: inLanguages('Phone lookup', 'Par téléphone'),
  },
  {
    path: '/receipts',
    permission: 'receipts:read',
    group: 'money',
    label: inLanguages('Receipts', 'Reçus'),
  },
  { path: '/receipts/:orderNumber', permission: 'receipts:read' },
  {
    path: '/payouts',
    permission: 'payouts:read',
    group: 'finance',
    label: inLanguages('Payouts', 'Versements'),
  },
  { path: '/payouts/new', permission: 'payouts:write' },
  { path: '/payouts/:id', permission: 'payouts:read' },
  {
    path: '/payout-batches',
    permission: 'payouts:read',
    group: 'finance',
    label: inLanguages('Payout batches', 'Lots de versements'),
  },
  { path: '/payout-batches/new', permission: 'payouts:write' },
  { path: '/payout-batches/:id', permission: 'payouts:read' },
  {
    path: '/approvals',
    permission: 'payouts:approve',
    group: 'finance',
    label: inLanguages('Approvals', 'Approbations'),
  },
  {
    path: '/recalls',
    permission: 'payouts:read',
    group: 'finance',
    label: inLanguages('Recalls', 'Rappels de fonds'),
  },
  { path: '/recalls/:id', permission: 'payouts:read' },
  {
    path: '/financial-accounts',
    permission: 'financial-accounts:read',
    group: 'finance',
    label: inLanguages('Accounts', 'Comptes'),
  },
  { path: '/financial-accounts/:id', permission: 'financial-accounts:read' },
  {
    path: '/internal-transfers',
    permission: 'internal-transfers:read',
    group: 'finance',
    label: inLanguages('Transfers', 'Virements'),
  },
  { path: '/internal-transfers/new', permission: 'internal-transfers:write' },
  { path: '/internal-transfers/:id', permission: 'internal-transfers:read' },
  {
    path: '/reports',
    permission: 'balances:read',
    group: 'finance',
    label: inLanguages('Reports', 'Rapports'),
  },
  {
    path: '/settlements',
    permission: 'settlements:read',
    group: 'finance',
    label: inLanguages('Settlements', 'Règlements'),
  },
  { path: '/settlements/:id', permission: 'settlements:read' },
  {
    path: '/reconciliation',
    permission: 'balances:read',
    group: 'finance',
    label: inLanguages('Reconciliation', 'Rapprochement'),
  },
  {
    path: '/financial-transactions',
    permission: 'financial-transactions:read',
    group: 'finance',
    label: inLanguages('Transactions', 'Écritures'),
  },
  {
    path: '/cases',
    permission: 'financial-transactions:read',
    group: 'finance',
    label: inLanguages('Cases', 'Dossiers'),
  },
  { path: '/cases/:id', permission: 'financial-transactions:read' },
  {
    path: '/webhooks',
    permission: 'webhooks:read',
    group: 'build',
    label: inLanguages('Webhooks', 'Webhooks'),
  },
  { path: '/webhooks/:id', permission: 'webhooks:read' },
  { path: '/deliveries/:id', permission: 'webhooks:read' },
  {
    path: '/events',
    permission: 'events:read',
    group: 'build',
    label: inLanguages('Events', 'Événements'),
  },
  { path: '/events/:id', permission: 'events:read' },
  {
    path: '/access-tokens',
    permission: 'access-tokens:read',
    group: 'build',
    label: inLanguages('Access tokens', 'Jetons d’accès'),
  },
  {
    path: '/requests',
    permission: 'requests:read',
    group: 'build',
    label: inLanguages('Requests', 'Requêtes'),
  },
  { path: '/requests/:id', permission: 'requests:read' },
  {
    path: '/try',
    permission: 'checkout-sessions:read',
    group: 'build',
    label: inLanguages('Test tools', 'Outils de test'),
  },
  {
    path: '/team',
    permission: 'members:read',
    group: 'space',
    label: inLanguages('Team', 'Équipe'),
  },
  {
    path: '/audit',
    permission: 'audit:read',
    group: 'space',
    label: inLanguages('Audit log', 'Journal d’audit'),
  },
  {
    path: '/settings',
    permission: 'settings:read',
    group: 'space',
    label: inLanguages('Settings', 'Paramètres'),
  },
  {
    path: '/installation/health',
    permission: 'installation:read',
    group: 'installation',
    label: inLanguages('Health', 'État du service'),
  },
  {
    path: '/installation/providers',
    permission: 'installation:read',
    group: 'installation',
    label: inLanguages('Providers', 'Prestataires'),
  },
  { path: '/installation/providers/:connection', permission: 'installation:read' },
  {
    path: '/installation/reconciliation',
    permission: 'installation:read',
    group: 'installation',
    label: inLanguages('Reconciliation', 'Rapprochement'),
  },
  {
    path: '/installation/spaces',
    permission: 'installation:read',
    group: 'installation',
    label: inLanguages('Spaces', 'Spaces'),
  },
  { path: '/installation/spaces/:id', permission: 'installation:read' },
  { path: '/security', permission: undefined },
] as const satisfies Address[]
