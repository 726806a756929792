import type { ComponentChildren } from 'preact'
import { api, type ResultOf } from '../api/client.ts'
import { useRead } from '../api/queries.ts'
import { usePermissions } from '../api/scope.tsx'
import { Time } from '../text/format.tsx'
import { createTexts } from '../text/languages.tsx'
import { useWords } from '../text/words.ts'
import { ErrorNotice, Loading } from './notices.tsx'
import { Section } from './page.tsx'
import './events.css'

type Event = ResultOf<typeof api.events.list>[number]

const useTexts = createTexts<Record<string, string>>(
  {
    'payment.created': 'Payment started by the payer.',
    'payment.processing': 'Sent to the provider for collection.',
    'payment.completed': 'Payment completed.',
    'payment.failed': 'Payment failed.',
    'payout.created': 'Payout created. Its amount is held.',
    'payout.processing': 'Sent to the provider.',
    'payout.delayed': 'No outcome yet. Checking with the provider again.',
    'payout.completed': 'Payout completed.',
    'payout.failed': 'Payout failed. The money is available again.',
    'payout_batch.created': 'Batch created.',
    'payout_batch.approved': 'Batch approved. Its payouts were created.',
    'payout_batch.rejected': 'Batch rejected. None of its payouts will be made.',
    'payout_batch.cancelled': 'Batch cancelled. None of its payouts will be made.',
    'payout_batch.completed': 'All payouts in the batch have a final outcome.',
    'refund.created': 'Refund requested.',
    'refund.processing': 'Sent to the provider.',
    'refund.completed': 'Refund completed.',
    'refund.failed': 'Refund failed.',
    'refund.cancelled': 'Refund cancelled.',
    'refund.delayed': 'No outcome from the provider yet.',
    'refund.returned': 'Refund returned. The money is back in your account.',
    'internal_transfer.created': 'Transfer requested.',
    'internal_transfer.completed': 'Transfer completed.',
    'internal_transfer.failed': 'Transfer failed.',
    'checkout_session.created': 'Checkout page created.',
    'checkout_session.completed': 'Checkout paid.',
    'checkout_session.cancelled': 'Checkout page cancelled.',
    'checkout_session.expired': 'Checkout page expired.',
  },
  {
    'payment.created': 'Paiement initié par le payeur.',
    'payment.processing': 'Envoyé au prestataire pour encaissement.',
    'payment.completed': 'Paiement réussi.',
    'payment.failed': 'Échec du paiement.',
    'payout.created': 'Versement créé. L’argent est bloqué.',
    'payout.processing': 'Envoyé au prestataire.',
    'payout.delayed': 'Pas encore de résultat. Le prestataire est de nouveau interrogé.',
    'payout.completed': 'Versement effectué.',
    'payout.failed': 'Échec du versement. L’argent est de nouveau disponible.',
    'payout_batch.created': 'Lot créé.',
    'payout_batch.approved': 'Lot approuvé. Ses versements ont été créés.',
    'payout_batch.rejected': 'Lot refusé. Aucun versement n’est effectué.',
    'payout_batch.cancelled': 'Lot annulé. Aucun versement n’est effectué.',
    'payout_batch.completed': 'Tous les versements du lot ont un résultat définitif.',
    'refund.created': 'Remboursement demandé.',
    'refund.processing': 'Envoyé au prestataire.',
    'refund.completed': 'Remboursement effectué.',
    'refund.failed': 'Échec du remboursement.',
    'refund.cancelled': 'Remboursement annulé.',
    'refund.delayed': 'Pas encore de résultat du prestataire.',
    'refund.returned': 'Remboursement retourné. L’argent est de nouveau sur votre compte.',
    'internal_transfer.created': 'Virement demandé.',
    'internal_transfer.completed': 'Virement effectué.',
    'internal_transfer.failed': 'Échec du virement.',
    'checkout_session.created': 'Page de paiement créée.',
    'checkout_session.completed': 'Paiement effectué sur la page.',
    'checkout_session.cancelled': 'Page de paiement annulée.',
    'checkout_session.expired': 'Page de paiement expirée.',
  },
)

/** Returns a function that describes an event of the given type. */
export function useEventSentence(): (type: string) => string {
  const t = useTexts()
  return (type) => t[type] ?? type
}

const endings: Record<string, string> = { completed: 'good', failed: 'bad' }

/** Shows the history of an object, based on its events. */
export function Events({ objectId }: { objectId: string }) {
  const { whatHappened } = useWords()
  const isAllowed = usePermissions()('events:read')
  if (!isAllowed) return null
  return (
    <Section title={whatHappened}>
      <EventLine objectId={objectId} />
    </Section>
  )
}

function EventLine({ objectId }: { objectId: string }) {
  const sentenceOf = useEventSentence()
  const { data, error } = useRead(api.events.list, [{ objectId, limit: 50 }])
  if (error) return <ErrorNotice error={error} />
  if (!data) return <Loading />
  const entries = [...data].sort(bySequence).map(({ id, timestamp, type }) => ({
    key: id,
    time: timestamp,
    kind: endings[type.split('.')[1] ?? ''] ?? '',
    sentence: sentenceOf(type),
  }))
  return <Timeline entries={entries} />
}

const bySequence = (a: Event, b: Event) => a.sequence - b.sequence

/**
 * An entry in a timeline. `kind` is its CSS class; the classes `good` and `bad` are highlighted. `actor` is who
 * acted, if known.
 */
type TimelineEntry = {
  key: string
  time: string
  kind: string
  actor?: ComponentChildren
  sentence: ComponentChildren
}
type NextStep = { sentence: ComponentChildren; time?: string | null; action?: ComponentChildren }

/** Shows a history, oldest entry first. The next step and its time are shown above it. */
export function Timeline({ entries, next }: { entries: TimelineEntry[]; next?: NextStep | undefined }) {
  const t = useWords()
  return (
    <div class="timeline">
      {next && (
        <div class="next">
          <p>
            <strong>{t.next}</strong> {next.sentence} {next.time && <Time at={next.time} />}
          </p>
          {next.action}
        </div>
      )}
      <ol>
        {entries.map(({ key, time, kind, actor, sentence }) => (
          <li key={key} class={kind}>
            <Time at={time} isExact />
            {actor && <span class="actor"> · {actor}</span>}
            <div>{sentence}</div>
          </li>
        ))}
      </ol>
    </div>
  )
}
