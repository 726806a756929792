import type { ResultOf } from '../api/client.ts'
import { useTexts } from '../text/languages.tsx'
import { inLanguages } from '../text/texts.ts'

type Warning = ResultOf<'POST /v1/payout-batches/check'>['rows'][number]['warnings'][number]

const texts = inLanguages<Record<Warning['code'], string>>(
  {
    duplicate_in_file: 'An earlier row pays the same to the same payee.',
    duplicate_recent: 'The same was paid to this payee within 7 days.',
    first_time_payee: 'You never paid this payee before: make sure that it is the right one.',
    network_mismatch: 'By its first digits, this number is another network’s.',
  },
  {
    duplicate_in_file: 'Une ligne précédente paie le même montant au même bénéficiaire.',
    duplicate_recent: 'Le même montant a été versé à ce bénéficiaire il y a moins de 7 jours.',
    first_time_payee: 'Vous n’avez jamais payé ce bénéficiaire : assurez-vous que c’est le bon.',
    network_mismatch: 'D’après ses premiers chiffres, ce numéro est d’un autre réseau.',
  },
)

/** What is odd about a payout that can be made all the same. */
export function PayoutWarnings({ of }: { of: Warning[] }) {
  const t = useTexts(texts)
  return (
    <>
      {of.map(({ code }) => (
        <p key={code}>{t[code]}</p>
      ))}
    </>
  )
}
