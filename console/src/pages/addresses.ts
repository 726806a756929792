import { inLanguages, type Texts } from '../text/texts.ts'

export type PageGroup = 'money' | 'finance' | 'build' | 'space' | 'installation'

/** A page of the console. Whoever has its permission sees it; it stands in the menu where it has a label. */
export type Address = {
  /** Below the address of the Space and environment. */
  path: string
  permission?: string
  group?: PageGroup
  label?: Texts<string>
}

/** The order is that of the menu. */
export const addresses = [
  { path: '/', label: inLanguages('Home', 'Accueil') },
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
    label: inLanguages('One phone number', 'Un numéro de téléphone'),
  },
  {
    path: '/receipts',
    permission: 'receipts:read',
    group: 'money',
    label: inLanguages('Receipts', 'Reçus'),
  },
  { path: '/receipts/:orderNumber', permission: 'receipts:read' },
] as const satisfies Address[]
