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
    'refund.created': 'The refund was asked for.',
    'refund.processing': 'The provider was asked to give the money back.',
    'refund.completed': 'The money is back with the payer.',
    'refund.failed': 'The refund failed.',
    'refund.cancelled': 'The refund was cancelled.',
    'payout.created': 'The payout was asked for.',
    'payout.processing': 'The provider was asked to pay.',
    'payout.completed': 'The payee has the money.',
    'payout.failed': 'The payout failed.',
    'payout.delayed': 'The provider takes long to say what became of it.',
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
    'refund.created': 'Le remboursement a été demandé.',
    'refund.processing': 'L’opérateur a été chargé de rendre l’argent.',
    'refund.completed': 'Le payeur a récupéré l’argent.',
    'refund.failed': 'Le remboursement a échoué.',
    'refund.cancelled': 'Le remboursement a été annulé.',
    'payout.created': 'Le versement a été demandé.',
    'payout.processing': 'L’opérateur a été chargé de verser.',
    'payout.completed': 'Le bénéficiaire a reçu l’argent.',
    'payout.failed': 'Le versement a échoué.',
    'payout.delayed': 'L’opérateur tarde à dire ce qu’il en est.',
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
    sentence: known[type] ?? type,
  }))
  return <Timeline entries={entries} />
}

const bySequence = (a: Event, b: Event) => a.sequence - b.sequence
