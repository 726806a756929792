import type { ResultOf } from '../api/client.ts'
import { useRead } from '../api/queries.ts'
import { useMay } from '../api/scope.tsx'
import { useTexts } from '../text/languages.tsx'
import { inLanguages } from '../text/texts.ts'
import { words } from '../text/words.ts'
import { ErrorNotice, Loading } from './notices.tsx'
import { Section } from './section.tsx'
import { Timeline } from './timeline.tsx'

type Event = ResultOf<'GET /v1/events'>[number]

const texts = inLanguages<Record<string, string>>(
  {
    'payment.created': 'The payer began to pay.',
    'payment.processing': 'The provider was asked to collect the money.',
    'payment.completed': 'The money arrived.',
    'payment.failed': 'The payment failed.',
    'payout.created': 'It was created, and its money is held.',
    'payout.processing': 'The provider was asked to pay.',
    'payout.delayed': 'The outcome is not known yet: the provider is asked again.',
    'payout.completed': 'The money was paid.',
    'payout.failed': 'Nothing was paid; the money is available again.',
    'payout_batch.created': 'It was created.',
    'payout_batch.approved': 'It was approved, and its payouts were created.',
    'payout_batch.rejected': 'It was rejected: nothing is paid.',
    'payout_batch.cancelled': 'It was cancelled: nothing is paid.',
    'payout_batch.completed': 'All of its payouts have ended.',
    'refund.created': 'The refund was asked for.',
    'refund.processing': 'The provider was asked to give the money back.',
    'refund.completed': 'The money is back with the payer.',
    'refund.failed': 'The refund failed.',
    'refund.cancelled': 'The refund was cancelled.',
    'refund.delayed': 'The provider takes long to say what became of it.',
    'refund.returned': 'The money came back to you.',
    'internal_transfer.created': 'The transfer was asked for.',
    'internal_transfer.completed': 'The money moved.',
    'internal_transfer.failed': 'The transfer failed.',
    'checkout_session.created': 'It was created.',
    'checkout_session.completed': 'It was paid.',
    'checkout_session.cancelled': 'It was cancelled.',
    'checkout_session.expired': 'Its time ran out.',
  },
  {
    'payment.created': 'Le payeur a commencé à payer.',
    'payment.processing': 'L’opérateur a été chargé d’encaisser.',
    'payment.completed': 'L’argent est arrivé.',
    'payment.failed': 'Le paiement a échoué.',
    'payout.created': 'Il a été créé, et son argent est bloqué.',
    'payout.processing': 'L’opérateur a été chargé de payer.',
    'payout.delayed': 'L’issue n’est pas encore connue : l’opérateur est interrogé à nouveau.',
    'payout.completed': 'L’argent a été versé.',
    'payout.failed': 'Rien n’a été versé ; l’argent est de nouveau disponible.',
    'payout_batch.created': 'Il a été créé.',
    'payout_batch.approved': 'Il a été approuvé, et ses versements ont été créés.',
    'payout_batch.rejected': 'Il a été refusé : rien n’est versé.',
    'payout_batch.cancelled': 'Il a été annulé : rien n’est versé.',
    'payout_batch.completed': 'Tous ses versements sont terminés.',
    'refund.created': 'Le remboursement a été demandé.',
    'refund.processing': 'L’opérateur a été chargé de rendre l’argent.',
    'refund.completed': 'Le payeur a récupéré l’argent.',
    'refund.failed': 'Le remboursement a échoué.',
    'refund.cancelled': 'Le remboursement a été annulé.',
    'refund.delayed': 'L’opérateur tarde à dire ce qu’il en est.',
    'refund.returned': 'L’argent vous est revenu.',
    'internal_transfer.created': 'Le virement a été demandé.',
    'internal_transfer.completed': 'L’argent a été déplacé.',
    'internal_transfer.failed': 'Le virement a échoué.',
    'checkout_session.created': 'La page de paiement a été créée.',
    'checkout_session.completed': 'La page a été payée.',
    'checkout_session.cancelled': 'La page a été annulée.',
    'checkout_session.expired': 'Le délai est écoulé.',
  },
)

/** Sentences for types of events, by the type. */
export const useEventSentences = () => useTexts(texts)

export const sentenceOf = (type: string, known: Record<string, string>) => known[type] ?? type

const endings: Record<string, string> = { completed: 'good', failed: 'bad' }

/** What happened to an object, by its events. */
export function Events({ objectId }: { objectId: string }) {
  const { whatHappened } = useTexts(words)
  const isAllowed = useMay()('events:read')
  if (!isAllowed) return null
  return (
    <Section title={whatHappened}>
      <EventLine objectId={objectId} />
    </Section>
  )
}

function EventLine({ objectId }: { objectId: string }) {
  const known = useTexts(texts)
  const { data, error } = useRead('GET /v1/events', { query: { objectId, limit: 50 } })
  if (error) return <ErrorNotice error={error} />
  if (!data) return <Loading />
  const entries = [...data].sort(bySequence).map(({ id, timestamp, type }) => ({
    key: id,
    time: timestamp,
    kind: endings[type.split('.')[1] ?? ''] ?? '',
    sentence: sentenceOf(type, known),
  }))
  return <Timeline entries={entries} />
}

const bySequence = (a: Event, b: Event) => a.sequence - b.sequence
