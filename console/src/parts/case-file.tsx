import type { ComponentChildren } from 'preact'
import type { ResultOf } from '../api/client.ts'
import { useRead } from '../api/queries.ts'
import { useMoney } from '../text/format.tsx'
import { useTexts } from '../text/languages.tsx'
import { inLanguages } from '../text/texts.ts'
import { words } from '../text/words.ts'
import { sentenceOf, useEventSentences } from './events.tsx'
import { PageLink } from './links.tsx'
import { ErrorNotice, Loading } from './notices.tsx'
import { Section } from './section.tsx'
import { Timeline } from './timeline.tsx'

const texts = inLanguages(
  {
    sent: 'It left for the provider.',
    delayed: 'The provider takes longer than usual.',
    approved: 'Another member approved it.',
    rejected: 'Another member rejected it.',
    decision: (actor: string, action: string, reason: string) => `${actor}: ${action} (${reason})`,
    line: (amount: string) => `Booked on your account: ${amount}`,
    refund: (amount: string) => `A refund of ${amount} was asked for.`,
    deliveries: {
      delivered: (webhook: string) => `Delivered to the webhook ${webhook}`,
      pending: (webhook: string, tries: number) =>
        tries === 0
          ? `On its way to the webhook ${webhook}`
          : `Not taken by the webhook ${webhook} yet, tried ${tries} times`,
      failed: (webhook: string, tries: number) =>
        `Given up: the webhook ${webhook} did not take it in ${tries} attempts`,
    },
    responded: (code: number) => `it responded ${code}`,
    next: {
      approve: 'It waits until another member approves it.',
      find_money: 'It waits until there is enough money on the account.',
      send: 'It leaves for the provider as soon as possible.',
      ask_rail: 'The provider is asked what became of it, until it says so. Nothing is sent twice.',
      nothing: '',
    },
    notWhole: 'Only the newest of each kind are shown.',
  },
  {
    sent: 'C’est parti chez l’opérateur.',
    delayed: 'L’opérateur tarde plus que d’habitude.',
    approved: 'Un autre membre l’a approuvé.',
    rejected: 'Un autre membre l’a refusé.',
    decision: (actor: string, action: string, reason: string) => `${actor} : ${action} (${reason})`,
    line: (amount: string) => `Comptabilisé sur votre compte : ${amount}`,
    refund: (amount: string) => `Un remboursement de ${amount} a été demandé.`,
    deliveries: {
      delivered: (webhook: string) => `Remis au webhook ${webhook}`,
      pending: (webhook: string, tries: number) =>
        tries === 0
          ? `En route vers le webhook ${webhook}`
          : `Pas encore accepté par le webhook ${webhook}, ${tries} essais`,
      failed: (webhook: string, tries: number) =>
        `Abandonné : le webhook ${webhook} ne l’a pas accepté en ${tries} essais`,
    },
    responded: (code: number) => `réponse ${code}`,
    next: {
      approve: 'Cela attend qu’un autre membre l’approuve.',
      find_money: 'Cela attend qu’il y ait assez d’argent sur le compte.',
      send: 'Cela part chez l’opérateur dès que possible.',
      ask_rail: 'L’opérateur est interrogé jusqu’à ce qu’il dise l’issue. Rien n’est envoyé deux fois.',
      nothing: '',
    },
    notWhole: 'Seuls les plus récents de chaque sorte sont affichés.',
  },
)

const calls = {
  payments: 'GET /v1/payments/{id}/case-file',
  payouts: 'GET /v1/payouts/{id}/case-file',
  refunds: 'GET /v1/refunds/{id}/case-file',
} as const

type Entry = ResultOf<(typeof calls)['payments']>['entries'][number]

/** All that happened to it, in plain words, and what happens next. */
export function CaseFile({ of, id }: { of: keyof typeof calls; id: string }) {
  const t = useTexts(texts)
  const { whatHappened } = useTexts(words)
  const known = useEventSentences()
  const money = useMoney()
  const { data, error } = useRead(calls[of], { path: { id } })
  const deliveryOf = (entry: Entry) => {
    const { webhookName = '', tries = 0, status, statusCode, eventType = '' } = entry
    const state = status === 'delivered' || status === 'failed' ? status : 'pending'
    const said = [t.deliveries[state](webhookName, tries), statusCode && t.responded(statusCode)]
    return (
      <>
        <PageLink to={`/deliveries/${entry.deliveryId}`} page="/deliveries/:id">
          {said.filter(Boolean).join(', ')}
        </PageLink>
        : {eventType}
      </>
    )
  }
  const wordsFor = (entry: Entry): ComponentChildren => {
    const amount = entry.amount ? money(entry.amount) : ''
    switch (entry.kind) {
      case 'event':
        return sentenceOf(entry.eventType ?? '', known)
      case 'delivery':
        return deliveryOf(entry)
      case 'decision':
        return t.decision(entry.actor ?? '', entry.action ?? '', entry.reason ?? '')
      case 'line':
        return t.line(amount)
      case 'refund':
        return t.refund(amount)
      default:
        return t[entry.kind]
    }
  }
  return (
    <Section title={whatHappened}>
      <ErrorNotice error={error} />
      {!data && !error && <Loading />}
      {data && (
        <Timeline
          entries={data.entries.map((entry, i) => ({
            key: String(i),
            time: entry.time,
            kind: toneOf(entry),
            sentence: wordsFor(entry),
          }))}
          {...(data.next.step !== 'nothing' && {
            next: { sentence: t.next[data.next.step], time: data.next.time },
          })}
        />
      )}
      {data && !data.isWhole && <p class="hint">{t.notWhole}</p>}
    </Section>
  )
}

const toneOf = ({ kind, status, eventType = '' }: Entry): string => {
  if (kind === 'delivery') return status === 'failed' ? 'bad' : ''
  if (kind === 'rejected' || eventType.endsWith('.failed')) return 'bad'
  return kind === 'approved' || eventType.endsWith('.completed') ? 'good' : ''
}
