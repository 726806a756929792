import { createPageTexts } from '../../text/words.ts'

export const useTexts = createPageTexts(
  {
    titleOf: (month: string) => `Close ${month}`,
    month: 'Month',
    latest: 'Open the latest month',
    notSummed: 'Totals are still being calculated. Check again in a moment.',
    progress: (done: number, all: number) => `${done} of ${all} steps done.`,
    left: (steps: string[]) => `Left to do: ${steps.join(', ')}.`,
    done: 'Done',
    toDo: 'To do',
    calendar: 'Days of the month',
    countOf: (state: string, days: number) => `${state}: ${days}`,
    states: {
      closed: 'Closed',
      matched: 'Matched',
      differs: 'Differs',
      awaited: 'Awaited',
      none: 'Nothing to reconcile',
    },
    statements: {
      title: 'Statements received',
      none: 'No days to reconcile yet.',
      all: (days: number) =>
        days === 1 ? 'The day has its statements.' : `All ${days} days have their statements.`,
      missing: (missing: number, days: number) =>
        `${missing} of ${days} ${days === 1 ? 'day' : 'days'} ${missing === 1 ? 'has' : 'have'} no statement yet.`,
      byOperator: 'The operator of this service imports the statements.',
    },
    differencesStep: {
      title: 'Differences',
      none: 'Statements and books agree.',
      some: (count: number, isEstimated: boolean, total: string) =>
        `${count}${isEstimated ? ' or more' : ''} ${count === 1 ? 'line differs' : 'lines differ'}, in total ${total}.`,
      lines: (count: number) => (count === 1 ? '1 line' : `${count} lines`),
      more: (days: number) => (days === 1 ? 'and 1 more' : `and ${days} more`),
      open: 'Explain differences',
    },
    bank: {
      title: 'Bank',
      none: 'No money moved between providers and the bank.',
      agree: (count: number) =>
        count === 1
          ? 'The settlement is on the provider’s statement.'
          : `All ${count} settlements are on the providers’ statements.`,
      unconfirmed: (open: number, count: number) =>
        `${open} of ${count} ${count === 1 ? 'settlement' : 'settlements'} ${open === 1 ? 'is' : 'are'} not on a provider’s statement yet.`,
      unpaid: (providers: number, total: string, isOver: boolean) => {
        const [who, owes] = providers === 1 ? ['1 provider', 'owes'] : [`${providers} providers`, 'owe']
        return isOver ? `${who} still ${owes} ${total} from this month.` : `${who} ${owes} ${total}.`
      },
      announced: (amount: string) => `announced ${amount}`,
      received: (amount: string) => `received ${amount}`,
      toppedUp: (amount: string) => `float topped up by ${amount}`,
      owed: (amount: string) => `owed ${amount} at month-end`,
      left: (amount: string, isOver: boolean) => (isOver ? `still owes ${amount}` : `owes ${amount}`),
      paidSince: 'paid since',
      how: 'This step is complete once these amounts are recorded as settlements, whatever their date. If the money has not arrived, ask the provider.',
      byFinance: 'An admin or finance member of this Space records the settlements.',
      bySpaces: 'Each Space records its own settlements at Close the month → Settlements.',
      record: 'Record settlements',
      view: 'View settlements',
    },
    fileStep: {
      title: 'Statements and reports',
      final: 'Complete: the month is over, and statements and books agree.',
      provisional: 'Provisional: the month is not over, or a step above is not done.',
      contents:
        'The statement of every account (PDF and CSV), fees, settlement, balances, ledger lines and reconciliation.',
      download: 'Download ZIP',
      perSpace: 'Each Space downloads its own statements and reports at Close the month → Month-end.',
    },
    sign: {
      title: 'Sign',
      none: 'There are no days to sign.',
      all: (days: number) =>
        days === 1 ? 'The day is signed and closed.' : `All ${days} days are signed and closed.`,
      some: (signed: number, days: number) =>
        `${signed} of ${days} ${days === 1 ? 'day is' : 'days are'} signed and closed.`,
      by: (who: string) => `Signed by ${who}, last on`,
      operator: 'the operator',
      byOperator: 'The operator of this service signs the days of each provider.',
      open: 'Open the installation’s month',
      action: (days: number) => (days === 1 ? 'Sign 1 day' : `Sign ${days} days`),
      question: (days: number) => (days === 1 ? 'Sign 1 matched day?' : `Sign ${days} matched days?`),
      text: 'You confirm that statements and books agree on these days. This closes the days: no more statement lines can be imported for them.',
      progress: (signed: number, days: number) => `Signed ${signed} of ${days}.`,
      refused: (day: string, provider: string) => `Stopped at ${day}, ${provider}.`,
    },
  },
  {
    titleOf: (month: string) => `Clôture ${/^[aeo]/.test(month) ? 'd’' : 'de '}${month}`,
    month: 'Mois',
    latest: 'Ouvrir le mois le plus récent',
    notSummed: 'Les totaux sont encore en cours de calcul. Revenez dans un instant.',
    progress: (done: number, all: number) =>
      done < 2 ? `${done} étape sur ${all} terminée.` : `${done} étapes sur ${all} terminées.`,
    left: (steps: string[]) => `Reste à faire : ${steps.join(', ')}.`,
    done: 'Fait',
    toDo: 'À faire',
    calendar: 'Jours du mois',
    countOf: (state: string, days: number) => `${state} : ${days}`,
    states: {
      closed: 'Clôturé',
      matched: 'Rapproché',
      differs: 'Écart',
      awaited: 'Attendu',
      none: 'Rien à rapprocher',
    },
    statements: {
      title: 'Relevés reçus',
      none: 'Aucun jour à rapprocher pour le moment.',
      all: (days: number) => (days === 1 ? 'Le jour a ses relevés.' : `Les ${days} jours ont leurs relevés.`),
      missing: (missing: number, days: number) =>
        `${missing} ${missing === 1 ? 'jour' : 'jours'} sur ${days} sans relevé pour le moment.`,
      byOperator: 'L’exploitant du service importe les relevés.',
    },
    differencesStep: {
      title: 'Écarts',
      none: 'Les relevés et la comptabilité concordent.',
      some: (count: number, isEstimated: boolean, total: string) =>
        `${count} ${count === 1 ? 'ligne' : 'lignes'}${isEstimated ? ' ou plus' : ''} en écart, pour un total de ${total}.`,
      lines: (count: number) => (count === 1 ? '1 ligne' : `${count} lignes`),
      more: (days: number) => (days === 1 ? 'et 1 autre' : `et ${days} autres`),
      open: 'Expliquer les écarts',
    },
    bank: {
      title: 'Banque',
      none: 'Aucun mouvement entre les prestataires et la banque.',
      agree: (count: number) =>
        count === 1
          ? 'Le règlement figure sur le relevé du prestataire.'
          : `Les ${count} règlements figurent sur les relevés des prestataires.`,
      unconfirmed: (open: number, count: number) =>
        `${open} ${open === 1 ? 'règlement' : 'règlements'} sur ${count} ne ${open === 1 ? 'figure' : 'figurent'} pas encore sur un relevé.`,
      unpaid: (providers: number, total: string, isOver: boolean) => {
        const [who, owes] =
          providers === 1 ? ['1 prestataire', 'doit'] : [`${providers} prestataires`, 'doivent']
        return isOver ? `${who} ${owes} encore ${total} de ce mois.` : `${who} ${owes} ${total}.`
      },
      announced: (amount: string) => `annoncé : ${amount}`,
      received: (amount: string) => `reçu : ${amount}`,
      toppedUp: (amount: string) => `approvisionné de ${amount}`,
      owed: (amount: string) => `devait ${amount} en fin de mois`,
      left: (amount: string, isOver: boolean) => (isOver ? `doit encore ${amount}` : `doit ${amount}`),
      paidSince: 'payé depuis',
      how: 'L’étape est terminée quand tout est enregistré comme règlement, à n’importe quelle date. Si l’argent n’est pas arrivé, demandez au prestataire.',
      byFinance: 'Un administrateur ou un membre des finances de ce Space enregistre les règlements.',
      bySpaces: 'Chaque Space enregistre ses propres règlements à la page Règlements.',
      record: 'Enregistrer les règlements',
      view: 'Voir les règlements',
    },
    fileStep: {
      title: 'Relevés de compte et rapports',
      final: 'Complet : le mois est terminé, et les relevés et la comptabilité concordent.',
      provisional: 'Provisoire : le mois ou les étapes ci-dessus ne sont pas terminés.',
      contents:
        'Le relevé de chaque compte (PDF et CSV), les frais, les règlements, les soldes, les écritures et le rapprochement.',
      download: 'Télécharger le ZIP',
      perSpace: 'Chaque Space télécharge ses propres relevés et rapports à la page Fin de mois.',
    },
    sign: {
      title: 'Signature',
      none: 'Aucun jour à signer.',
      all: (days: number) =>
        days === 1 ? 'Le jour est signé et clôturé.' : `Les ${days} jours sont signés et clôturés.`,
      some: (signed: number, days: number) =>
        `${signed} ${signed < 2 ? 'jour signé et clôturé' : 'jours signés et clôturés'} sur ${days}.`,
      by: (who: string) => `Signé par ${who}, la dernière fois le`,
      operator: 'l’exploitant',
      byOperator: 'L’exploitant du service signe les jours de chaque prestataire.',
      open: 'Ouvrir le mois de l’installation',
      action: (days: number) => (days === 1 ? 'Signer 1 jour' : `Signer ${days} jours`),
      question: (days: number) =>
        days === 1 ? 'Signer 1 jour rapproché ?' : `Signer ${days} jours rapprochés ?`,
      text: 'Vous confirmez que les relevés et la comptabilité concordent pour ces jours. Ces jours sont alors clôturés : aucun relevé ne peut plus y ajouter de lignes.',
      progress: (signed: number, days: number) =>
        `${signed} ${signed < 2 ? 'jour signé' : 'jours signés'} sur ${days}.`,
      refused: (day: string, provider: string) => `Arrêt au ${day}, ${provider}.`,
    },
  },
)
