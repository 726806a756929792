import { createPageTexts } from '../../text/words.ts'

export const useTexts = createPageTexts(
  {
    empty:
      'No cases. If a provider contradicts an earlier report and someone must decide what to do, a case appears here.',
    kinds: {
      success_after_failure: 'Reported as successful after failing',
      failure_after_success: 'Reported as failed after succeeding',
    },
    explained: {
      success_after_failure:
        'The provider reported success after the payment or payout had already failed. The money is set aside until the case is closed.',
      failure_after_success:
        'The provider reported failure after it had reported success. The ledger stays unchanged until the case is closed.',
    },
    object: 'Payment or payout',
    returned: 'Already returned',
    remaining: 'Remaining',
    closeTime: 'Closed',
    giveBack: 'Refund the payer',
    giveBackTitle: 'Refund this money to the payer?',
    giveBackWarning: 'The full amount will be sent back to the account it came from, as a separate refund.',
    byOperator: 'To keep the money or record it differently, contact the operator of this service.',
  },
  {
    empty:
      'Aucun dossier. Si un prestataire signale des résultats contradictoires qui nécessitent une décision, un dossier apparaît ici.',
    kinds: {
      success_after_failure: 'Signalé réussi après un échec',
      failure_after_success: 'Signalé échoué après une réussite',
    },
    explained: {
      success_after_failure:
        'Le prestataire a signalé une réussite alors que le paiement ou le versement avait déjà échoué. L’argent est mis de côté jusqu’à la clôture du dossier.',
      failure_after_success:
        'Le prestataire a signalé un échec après avoir signalé une réussite. La comptabilité reste inchangée jusqu’à la clôture du dossier.',
    },
    object: 'Paiement ou versement',
    returned: 'Déjà restitué',
    remaining: 'Restant',
    closeTime: 'Clôture',
    giveBack: 'Rembourser le payeur',
    giveBackTitle: 'Rembourser cet argent au payeur ?',
    giveBackWarning:
      'La totalité du montant sera renvoyée au compte qui a payé, sous la forme d’un remboursement distinct.',
    byOperator: 'Pour conserver l’argent ou le comptabiliser autrement, contactez l’exploitant du service.',
  },
)
