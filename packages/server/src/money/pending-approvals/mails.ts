import { formatMoney, speaksFrench } from '@pesewa/values'
import { showId } from '../../platform/ids.ts'
import type { Mailer } from '../../platform/mail.ts'
import { maskAccount, maskPhone } from '../../platform/masks.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Scope } from '../../platform/scope.ts'
import { withoutHidden } from '../../platform/text-rules.ts'
import { roleHas } from '../../tenants/spaces/permissions.ts'
import { spaceIds } from '../../tenants/spaces/resources.ts'
import { selectSpace } from '../../tenants/spaces/store.ts'
import { batchIds, payoutIds } from '../payouts/resources.ts'
import { refundIds } from '../refunds/resources.ts'
import { maxCounted, type Pending, selectApprover, selectPending } from './store.ts'
import { type MailTexts, mailTexts } from './texts.ts'

const maxListed = 10 // payouts, batches and refunds that one email lists
const maxText = 200 // characters of a name or a reason in an email

/** Mails a member everything in a Space that the member can approve now. Sends nothing if there is nothing. */
export async function mailMember(
  { db, baseUrl }: Pick<Platform, 'db' | 'baseUrl'>,
  mailer: Mailer,
  scope: Scope,
  userId: string,
): Promise<void> {
  const [space, member] = [
    await selectSpace(db, scope.spaceId),
    await selectApprover(db, scope.spaceId, userId),
  ]
  if (!space || space.suspendedAt || !member) return
  const pending = await selectPending(db, scope, {
    userId,
    withPayouts: roleHas(member.role, 'payouts:approve'),
    withRefunds: roleHas(member.role, 'refunds:approve'),
  })
  const [newest] = pending
  if (!newest) return
  const language = speaksFrench(space.country) ? 'fr' : 'en'
  const t = mailTexts[language]
  const pages = `${baseUrl}/console/${showId(spaceIds, scope.spaceId)}/${scope.environment}`
  const listed = pending.slice(0, maxListed)
  const shop = oneLine(space.name)
  const count = pending.length < maxCounted ? String(pending.length) : t.atLeast(maxCounted)
  const test = scope.environment === 'test' ? t.test : ''
  await mailer.send({
    to: [member.email],
    subject:
      test + (pending.length === 1 ? t.subject(amountOf(newest, language), shop) : t.subjects(count, shop)),
    text: [
      pending.length === 1 ? t.intro(shop) : t.intros(count, shop),
      ...listed.map((one) => [...describe(one, t, language), `${pages}/${pathOf(one)}`].join('\n')),
      ...(pending.length > 1 ? [`${t.all}\n${pages}/approvals`] : []),
      t.why(shop),
    ].join('\n\n'),
  })
}

function describe(one: Pending, t: MailTexts, language: string): string[] {
  const reason = [one.kind === 'refund' && t.reasons[one.reason], one.note && oneLine(one.note)]
  const colon = language === 'fr' ? '\u00a0:' : ':'
  return [
    `${t.kinds[one.kind]}${colon} ${amountOf(one, language)}`,
    `${t.payee}${colon} ${payeeOf(one, t)}`,
    `${t.requester}${colon} ${one.requester === null ? t.operator : oneLine(one.requester)}`,
    `${t.reason}${colon} ${reason.filter(Boolean).join(', ') || t.noReason}`,
  ]
}

const amountOf = ({ sums }: Pending, language: string) =>
  sums.map(({ currency, amount }) => formatMoney({ currency, value: BigInt(amount) }, language)).join(' + ')

function payeeOf(one: Pending, t: MailTexts): string {
  if (one.kind === 'batch') return t.payees(one.rows)
  if (one.kind === 'payout') return mask(one.account)
  return [t.payerOf(one.orderNumber), one.account && mask(one.account)].filter(Boolean).join(', ')
}

/** Masks an account, because emails are kept in many places. The console shows payees' accounts in full. */
const mask = (account: string) => oneLine(account.startsWith('+') ? maskPhone(account) : maskAccount(account))

const pathOf = (one: Pending) =>
  one.kind === 'payout'
    ? `payouts/${showId(payoutIds, one.id)}`
    : one.kind === 'batch'
      ? `payout-batches/${showId(batchIds, one.id)}`
      : `refunds/${showId(refundIds, one.id)}`

/** Returns a text that people entered, on one line, so that it cannot look like another part of the email. */
function oneLine(text: string): string {
  const line = withoutHidden(text)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  return line.length > maxText ? `${line.slice(0, maxText)}…` : line
}
