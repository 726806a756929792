import type { ComponentChildren } from 'preact'
import { api, type ResultOf } from '../api/client.ts'
import { useRead } from '../api/queries.ts'
import { useMoney } from '../text/format.tsx'
import { createTexts } from '../text/languages.tsx'
import { useWords } from '../text/words.ts'
import { Timeline, useEventSentence } from './events.tsx'
import { PageLink } from './links.tsx'
import { MemberName } from './member-name.tsx'
import { ErrorNotice, Loading } from './notices.tsx'
import { Section } from './page.tsx'
import { isAwaited, Question } from './question.tsx'
import { Status } from './status.tsx'

const useTexts = createTexts(
  {
    sent: 'Sent to the provider.',
    delayed: 'The provider is taking longer than usual.',
    approved: 'Approved.',
    rejected: 'Rejected.',
    decision: (action: string, reason: string) => `${action} (${reason})`,
    payer: 'Payer',
    line: (amount: string) => `Posted to your account: ${amount}`,
    refund: (amount: string) => `Refund of ${amount} requested.`,
    refunded: (amount: string) => `Refund of ${amount} completed.`,
    attempt: 'Another payment of the same order:',
    deliveries: {
      delivered: (webhook: string) => `Delivered to webhook ${webhook}`,
      pending: (webhook: string, tries: number) =>
        tries === 0
          ? `Pending delivery to webhook ${webhook}`
          : `Not yet delivered to webhook ${webhook} (attempts: ${tries})`,
      failed: (webhook: string, tries: number) =>
        `Delivery to webhook ${webhook} failed (attempts: ${tries})`,
    },
    responded: (code: number) => `response ${code}`,
    next: {
      approve: 'Waiting for approval.',
      find_money: 'Waiting for a sufficient balance in the account.',
      send: 'Will be sent to the provider as soon as possible.',
      ask_rail: 'Checking with the provider until the outcome is known. Nothing is sent twice.',
      nothing: '',
    },
    notWhole: 'Only the latest entries of each type are shown.',
  },
  {
    sent: 'Envoyé au prestataire.',
    delayed: 'Le prestataire prend plus de temps que d’habitude.',
    approved: 'Approuvé.',
    rejected: 'Refusé.',
    decision: (action: string, reason: string) => `${action} (${reason})`,
    payer: 'Payeur',
    line: (amount: string) => `Comptabilisé sur votre compte : ${amount}`,
    refund: (amount: string) => `Remboursement de ${amount} demandé.`,
    refunded: (amount: string) => `Remboursement de ${amount} effectué.`,
    attempt: 'Un autre paiement de la même commande :',
    deliveries: {
      delivered: (webhook: string) => `Remis au webhook ${webhook}`,
      pending: (webhook: string, tries: number) =>
        tries === 0
          ? `Envoi en attente vers le webhook ${webhook}`
          : `Pas encore reçu par le webhook ${webhook} (tentatives : ${tries})`,
      failed: (webhook: string, tries: number) =>
        `Échec de l’envoi au webhook ${webhook} (tentatives : ${tries})`,
    },
    responded: (code: number) => `réponse ${code}`,
    next: {
      approve: 'En attente d’approbation.',
      find_money: 'En attente d’un solde suffisant sur le compte.',
      send: 'Sera envoyé au prestataire dès que possible.',
      ask_rail:
        'Le prestataire est interrogé jusqu’à ce que le résultat soit connu. Rien n’est envoyé deux fois.',
      nothing: '',
    },
    notWhole: 'Seules les entrées les plus récentes de chaque type sont affichées.',
  },
)

const calls = {
  payments: api.payments.caseFile,
  payouts: api.payouts.caseFile,
  refunds: api.refunds.caseFile,
} as const

type Entry = ResultOf<(typeof calls)['payments']>['entries'][number]

type Props = { of: keyof typeof calls; id: string }

/** A section with the history of an object. */
export const CaseFile = (props: Props) => (
  <Section title={useWords().whatHappened}>
    <CaseFileTimeline {...props} />
  </Section>
)

/** Shows the history of an object, and its next step, in plain language. */
export function CaseFileTimeline({ of, id }: Props) {
  const t = useTexts()
  const sentenceOf = useEventSentence()
  const money = useMoney()
  const { data, error } = useRead(calls[of], [id], { isMoving: isAwaited })
  const deliveryOf = (entry: Entry) => {
    const { webhookName = '', tries = 0, status, statusCode, eventType = '' } = entry
    const state = status === 'delivered' || status === 'failed' ? status : 'pending'
    const parts = [t.deliveries[state](webhookName, tries), statusCode && t.responded(statusCode)]
    return (
      <>
        <PageLink to={`/deliveries/${entry.deliveryId}`}>{parts.filter(Boolean).join(', ')}</PageLink>:{' '}
        {eventType}
      </>
    )
  }
  const wordsFor = (entry: Entry): ComponentChildren => {
    const amount = entry.amount ? money(entry.amount) : ''
    switch (entry.kind) {
      case 'event':
        return sentenceOf(entry.eventType ?? '')
      case 'delivery':
        return deliveryOf(entry)
      case 'decision':
        return t.decision(entry.action ?? '', entry.reason ?? '')
      case 'line':
        return t.line(amount)
      case 'refund':
        return t.refund(amount)
      case 'refunded':
        return t.refunded(amount)
      case 'attempt':
        return (
          <>
            <PageLink to={`/payments/${entry.paymentId}`}>{t.attempt}</PageLink>{' '}
            {entry.status && <Status of={entry.status} />}
          </>
        )
      default:
        return t[entry.kind]
    }
  }
  return (
    <>
      <ErrorNotice error={error} />
      {!data && !error && <Loading />}
      {data && (
        <Timeline
          entries={withoutRepeats(data.entries).map((entry, i) => ({
            key: String(i),
            time: entry.time,
            kind: toneOf(entry),
            actor: actorOf(entry, t.payer),
            sentence: wordsFor(entry),
          }))}
          {...(data.next.step !== 'nothing' && {
            next: {
              sentence: t.next[data.next.step],
              time: data.next.time,
              action: data.next.step === 'ask_rail' && <Question {...{ of, id }} question={data.question} />,
            },
          })}
        />
      )}
      {data && !data.isWhole && <p class="hint">{t.notWhole}</p>}
    </>
  )
}

/** Leaves out that the object was sent to its provider if an event says the same. */
const withoutRepeats = (entries: Entry[]) =>
  entries.some(({ eventType }) => eventType?.endsWith('.processing'))
    ? entries.filter(({ kind }) => kind !== 'sent')
    : entries

/** Returns who acted: a person, the payer or Pesewa. Other entries do not say who caused them. */
function actorOf({ kind, eventType, actor, userId }: Entry, payer: string): ComponentChildren {
  if (userId) return <MemberName id={userId} />
  if (kind === 'attempt' || (kind === 'event' && eventType === 'payment.created')) return payer
  return kind === 'sent' || kind === 'line' || kind === 'delivery' ? 'Pesewa' : actor
}

const toneOf = ({ kind, status, eventType = '' }: Entry): string => {
  if (kind === 'delivery') return status === 'failed' ? 'bad' : ''
  if (kind === 'rejected' || eventType.endsWith('.failed')) return 'bad'
  return kind === 'approved' || kind === 'refunded' || eventType.endsWith('.completed') ? 'good' : ''
}
