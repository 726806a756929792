import { createPageTexts } from '../../text/words.ts'

export const useTexts = createPageTexts(
  {
    payers: 'Customers',
    intro: 'Enter a phone number to see its payments, refunds and payouts.',
    show: 'Look up',
    of: (phone: string) => `Activity for ${phone}`,
    ofShown: 'Totals of the completed items shown below.',
    network: 'Network',
    nothing: 'None',
    noPayments: 'No payments from this number.',
    noRefunds: 'No refunds to this number.',
    noPayouts: 'No payouts to this number.',
  },
  {
    payers: 'Clients',
    intro: 'Saisissez un numéro de téléphone pour voir ses paiements, remboursements et versements.',
    show: 'Rechercher',
    of: (phone: string) => `Activité de ${phone}`,
    ofShown: 'Totaux des opérations réussies affichées ci-dessous.',
    network: 'Réseau',
    nothing: 'Aucun',
    noPayments: 'Aucun paiement de ce numéro.',
    noRefunds: 'Aucun remboursement vers ce numéro.',
    noPayouts: 'Aucun versement vers ce numéro.',
  },
)
