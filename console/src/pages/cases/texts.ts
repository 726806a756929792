import { inLanguages } from '../../text/texts.ts'

export const texts = inLanguages(
  {
    cases: 'Cases',
    case: 'Case',
    empty: 'No cases. Here stands what the books cannot decide by themselves.',
    kind: 'What happened',
    kinds: {
      success_after_failure: 'It succeeded after it had failed',
      failure_after_success: 'It failed after it had succeeded',
    },
    explained: {
      success_after_failure:
        'The provider reported success after the payment or payout had been given up. The money is kept apart until somebody decides.',
      failure_after_success:
        'The provider reported failure after success. What was booked stands until somebody decides.',
    },
    object: 'Of',
    returned: 'Already returned',
    remaining: 'Remaining',
    closeTime: 'Closed',
    giveBack: 'Give it back to the payer',
    giveBackTitle: 'Give this money back to its payer',
    giveBackWarning: 'The whole amount goes back to the account that paid, as a refund of its own.',
    byOperator: 'To keep the money, or to book it another way, ask whoever runs the service.',
  },
  {
    cases: 'Dossiers',
    case: 'Dossier',
    empty: 'Aucun dossier. Ici se trouve ce que les comptes ne peuvent pas décider seuls.',
    kind: 'Ce qui s’est passé',
    kinds: {
      success_after_failure: 'Réussi après avoir échoué',
      failure_after_success: 'Échoué après avoir réussi',
    },
    explained: {
      success_after_failure:
        'L’opérateur a signalé une réussite alors que le paiement ou versement avait été abandonné. L’argent est mis à part jusqu’à une décision.',
      failure_after_success:
        'L’opérateur a signalé un échec après une réussite. Ce qui est comptabilisé le reste jusqu’à une décision.',
    },
    object: 'Concerne',
    returned: 'Déjà revenu',
    remaining: 'Reste',
    closeTime: 'Clos',
    giveBack: 'Rendre au payeur',
    giveBackTitle: 'Rendre cet argent à son payeur',
    giveBackWarning: 'Tout le montant retourne au compte qui a payé, par un remboursement à part.',
    byOperator:
      'Pour garder l’argent ou le comptabiliser autrement, adressez-vous à l’exploitant du service.',
  },
)
