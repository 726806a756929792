import type { api, ResultOf } from '../api/client.ts'
import { createTexts } from '../text/languages.tsx'

type Warning = ResultOf<typeof api.payoutBatches.check>['rows'][number]['warnings'][number]

const useTexts = createTexts<Record<Warning['code'], string>>(
  {
    duplicate_in_file: 'An earlier row pays the same amount to the same payee.',
    duplicate_recent: 'This payee received the same amount in the last 7 days.',
    first_time_payee: 'You have not paid this payee before. Check the details.',
    network_mismatch: 'The prefix of this number belongs to another network.',
  },
  {
    duplicate_in_file: 'Une ligne précédente paie le même montant au même bénéficiaire.',
    duplicate_recent: 'Ce bénéficiaire a reçu le même montant au cours des 7 derniers jours.',
    first_time_payee: 'Vous n’avez encore jamais payé ce bénéficiaire. Vérifiez ses coordonnées.',
    network_mismatch: 'Le préfixe de ce numéro appartient à un autre réseau.',
  },
)

/** Shows warnings about a payout. They do not prevent it from being made. */
export function PayoutWarnings({ of }: { of: Warning[] }) {
  const t = useTexts()
  return (
    <>
      {of.map(({ code }) => (
        <p key={code}>{t[code]}</p>
      ))}
    </>
  )
}
