import { createPageTexts } from '../../text/words.ts'

export const useTexts = createPageTexts(
  {
    transfer: 'Transfer',
    empty: 'No transfers yet. Move money between your own accounts, now or later.',
    searchHint: 'ID, reference…',
    create: 'Create transfer',
    createTitle: 'New transfer',
    source: 'From',
    destination: 'To',
    available: (amount: string) => `${amount} available`,
    executeTime: 'Scheduled for',
    executeHint: 'Leave empty to transfer now.',
    planned: 'Scheduled',
    onlyOne:
      'You have only one account per currency. To make a transfer, open another account in the same currency.',
    accounts: 'View accounts',
    cancel: 'Cancel transfer',
    cancelTitle: 'Cancel this transfer?',
    cancelWarning: 'The transfer will not be made, and no money will move.',
  },
  {
    transfer: 'Virement',
    empty:
      'Aucun virement pour le moment. Transférez de l’argent entre vos comptes, tout de suite ou plus tard.',
    searchHint: 'Identifiant, référence…',
    create: 'Créer un virement',
    createTitle: 'Nouveau virement',
    source: 'Depuis',
    destination: 'Vers',
    available: (amount: string) => `${amount} disponibles`,
    executeTime: 'Prévu le',
    executeHint: 'Laissez vide pour effectuer le virement immédiatement.',
    planned: 'Prévu',
    onlyOne:
      'Vous n’avez qu’un compte par devise. Pour effectuer un virement, ouvrez un autre compte dans la même devise.',
    accounts: 'Voir les comptes',
    cancel: 'Annuler le virement',
    cancelTitle: 'Annuler ce virement ?',
    cancelWarning: 'Le virement ne sera pas exécuté et aucun mouvement d’argent n’aura lieu.',
  },
)
