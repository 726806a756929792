import { inLanguages, type Texts } from '../text/texts.ts'

export type PageGroup = 'money' | 'finance' | 'build' | 'space' | 'installation'

/** A page of the console. Whoever has its permission sees it; it stands in the menu where it has a label. */
export type Address = {
  /** Below the address of the Space and environment. */
  path: string
  permission?: string | undefined
  group?: PageGroup
  label?: Texts<string>
}

/** The order is that of the menu. */
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
    path: '/checkout-sessions',
    permission: 'checkout-sessions:read',
    group: 'money',
    label: inLanguages('Payment links', 'Liens de paiement'),
  },
  { path: '/checkout-sessions/new', permission: 'checkout-sessions:write' },
  { path: '/checkout-sessions/:id', permission: 'checkout-sessions:read' },
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
    label: inLanguages('By phone number', 'Par téléphone'),
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
    path: '/try',
    permission: 'checkout-sessions:read',
    group: 'build',
    label: inLanguages('Try things out', 'Essayer'),
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
    path: '/installation/spaces',
    permission: 'installation:read',
    group: 'installation',
    label: inLanguages('Spaces', 'Spaces'),
  },
  { path: '/installation/spaces/:id', permission: 'installation:read' },
] as const satisfies Address[]
