import { useTexts } from '../text/languages.tsx'
import { inLanguages } from '../text/texts.ts'

/** How good a state is: what has ended well, what has not, what waits for somebody, and what is on its way. */
type Tone = 'good' | 'bad' | 'waits' | 'plain'

const tones: Record<string, Tone> = {
  completed: 'good',
  delivered: 'good',
  verified: 'good',
  active: 'good',
  booked: 'good',
  fully_redeemed: 'good',
  partially_redeemed: 'waits',
  failed: 'bad',
  disabled: 'bad',
  processing: 'waits',
  pending: 'waits',
  open: 'waits',
}

/** The words of states that more than one kind of object has. */
const texts = inLanguages<Record<string, string>>(
  {
    pending: 'Pending',
    processing: 'In progress',
    completed: 'Completed',
    failed: 'Failed',
    cancelled: 'Cancelled',
    expired: 'Expired',
    verified: 'Verified',
    delivered: 'Delivered',
    open: 'Open',
    closed: 'Closed',
    booked: 'Booked',
    reversed: 'Reversed',
    active: 'Active',
    disabled: 'Disabled',
    rejected: 'Rejected',
  },
  {
    pending: 'En attente',
    processing: 'En cours',
    completed: 'Réussi',
    failed: 'Échoué',
    cancelled: 'Annulé',
    expired: 'Expiré',
    verified: 'Vérifié',
    delivered: 'Remis',
    open: 'Ouvert',
    closed: 'Clos',
    booked: 'Comptabilisé',
    reversed: 'Contre-passé',
    active: 'Actif',
    disabled: 'Désactivé',
    rejected: 'Refusé',
  },
)

/** `words`: where an object's state has words of its own. */
export function Status({ of, words }: { of: string; words?: string | undefined }) {
  const known = useTexts(texts)
  return <span class={`status ${tones[of] ?? 'plain'}`}>{words ?? known[of] ?? of}</span>
}

/** For filters. */
export function useStatusChoices(statuses: readonly string[]): Record<string, string> {
  const known = useTexts(texts)
  return Object.fromEntries(statuses.map((status) => [status, known[status] ?? status]))
}
