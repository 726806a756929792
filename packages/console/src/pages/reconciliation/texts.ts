import { createPageTexts } from '../../text/words.ts'

export const useTexts = createPageTexts(
  {
    noTransactions: 'No transactions this month.',
    intro:
      'Your daily transactions with each provider, compared with the provider’s statements. The operator of this service imports the statements and closes the days.',
    days: 'Days',
    directions: { collection: 'In', disbursement: 'Out' },
    booked: 'Booked',
    open: 'Not on a statement',
    states: {
      closed: 'Closed',
      awaited: 'Awaiting statement',
      differs: 'Has differences',
      matched: 'Matched',
    },
    items: (provider: string, date: string) => `Not on a statement: ${provider}, ${date}`,
    itemsOfDay: (date: string) => `Not on a statement: ${date}`,
    noItems: 'No open items on this day.',
    nothing: '–',
    time: 'Booked',
    notSummed: 'Totals are still being calculated. Check again in a moment.',
  },
  {
    noTransactions: 'Aucune écriture ce mois-ci.',
    intro:
      'Vos écritures chez chaque prestataire, jour par jour, comparées aux relevés du prestataire. L’exploitant du service importe les relevés et clôture les jours.',
    days: 'Jours',
    directions: { collection: 'Entrées', disbursement: 'Sorties' },
    booked: 'Comptabilisé',
    open: 'Absent des relevés',
    states: { closed: 'Clôturé', awaited: 'Relevé attendu', differs: 'Écart', matched: 'Rapproché' },
    items: (provider: string, date: string) => `Absent des relevés : ${provider}, ${date}`,
    itemsOfDay: (date: string) => `Absent des relevés : ${date}`,
    noItems: 'Aucun écart ouvert ce jour-là.',
    nothing: '–',
    time: 'Comptabilisé',
    notSummed: 'Les totaux sont encore en cours de calcul. Revenez dans un instant.',
  },
)
