import { inLanguages } from '../../text/texts.ts'

export const texts = inLanguages(
  {
    payers: 'By phone number',
    intro: 'Type a phone number to see everything that it paid, got back and was paid.',
    show: 'Show',
    of: (phone: string) => `Everything of ${phone}`,
    paid: 'Paid',
    refunded: 'Refunded',
    paidOut: 'Paid out to it',
    ofShown: 'Sums of what is shown below and has ended well.',
    network: 'Network',
    nothing: 'Nothing',
    noPayments: 'This number has paid nothing here.',
    noRefunds: 'Nothing was refunded to this number.',
    noPayouts: 'Nothing was paid out to this number.',
  },
  {
    payers: 'Par numéro de téléphone',
    intro: 'Saisissez un numéro pour voir tout ce qu’il a payé, et ce qui lui a été remboursé ou versé.',
    show: 'Afficher',
    of: (phone: string) => `Tout sur ${phone}`,
    paid: 'Payé',
    refunded: 'Remboursé',
    paidOut: 'Versé à ce numéro',
    ofShown: 'Sommes de ce qui est affiché ci-dessous et a réussi.',
    network: 'Réseau',
    nothing: 'Rien',
    noPayments: 'Ce numéro n’a rien payé ici.',
    noRefunds: 'Rien n’a été remboursé à ce numéro.',
    noPayouts: 'Rien n’a été versé à ce numéro.',
  },
)
