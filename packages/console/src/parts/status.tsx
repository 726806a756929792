import { createTexts } from '../text/languages.tsx'

/** Color of a status: success, failure, attention needed, or neutral. */
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

/** Labels of statuses that several resources share. */
const useTexts = createTexts<Record<string, string>>(
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

/** Shows a status in its color. `words` replaces the default label. */
export function Status({ of, words }: { of: string; words?: string | undefined }) {
  const known = useTexts()
  return <span class={`status ${tones[of] ?? 'plain'}`}>{words ?? known[of] ?? of}</span>
}

/** Returns the labels of these statuses, for use as filter options. */
export function useStatusChoices(statuses: readonly string[]): Record<string, string> {
  const known = useTexts()
  return Object.fromEntries(statuses.map((status) => [status, known[status] ?? status]))
}
