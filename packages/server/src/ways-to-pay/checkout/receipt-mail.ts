import { formatMoney, must } from '@pesewa/values'
import Type from 'typebox'
import { timeZoneOf } from '../../countries/time-zones.ts'
import { requireReceipt } from '../../money/payments/receipts.ts'
import type { Reader } from '../../platform/db/database.ts'
import { command, type Route } from '../../platform/http/commands/route.ts'
import {
  flag,
  object,
  optional,
  pathName,
  text,
  withDescription,
  withMeanings,
} from '../../platform/http/shapes/shapes.ts'
import { enqueue } from '../../platform/jobs/queue.ts'
import type { Mail } from '../../platform/mail.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Scope } from '../../platform/scope.ts'
import { findBrand } from '../../tenants/spaces/brands.ts'
import { selectSpace } from '../../tenants/spaces/store.ts'
import { pageUrl } from './page-key.ts'
import { supportDetails } from './page-state.ts'
import { formatTime, type Language, languages } from './pages/language.ts'
import { contactOf } from './pages/receipt-page.ts'
import { receiptTexts } from './pages/receipt-texts.ts'
import { selectSessionOf } from './store.ts'

const mailsPerReceipt = 5 // limit: emails per receipt and hour
const windowMs = 3_600_000

/**
 * Defines the route that sends a receipt to the email address in the request. The address has to be in the
 * request, because payers do not enter one at checkout.
 */
export const receiptMailRoute = (parts: Pick<Platform, 'baseUrl' | 'seals'>): Route =>
  command({
    url: '/v1/receipts/:orderNumber/send',
    params: { orderNumber: pathName('Order number, 12 digits.', '482915037264') },
    summary: 'Email the receipt of a paid order',
    permission: 'receipts:send',
    body: object({
      email: withDescription(
        text(3, 254, { pattern: '^[^\\s@]+@[^\\s@]+$', examples: ['ama@mail.example'] }),
        'Recipient’s email address.',
      ),
      language: withMeanings(
        optional(Type.Enum([...languages], { default: 'en' })),
        'Language of the email.',
        {
          en: 'English',
          fr: 'French',
          kri: 'Krio',
          sw: 'Swahili',
          pt: 'Portuguese',
        },
      ),
    }),
    example: { email: 'ama@mail.example', language: 'fr' },
    result: object({ isQueued: flag('Always true: the email is queued.') }, { title: 'ReceiptMail' }),
    limits: ({ scope, params: { orderNumber = '' } }) => [
      {
        name: 'receipt-mail-limit',
        key: `receipt mail ${scope.spaceId} ${scope.environment} ${orderNumber}`,
        atMost: mailsPerReceipt,
        perMs: windowMs,
      },
    ],
    write: async (tx, { scope, params: { orderNumber = '' }, body: { email, language = 'en' } }) => {
      const mail = await mailOf(tx, parts, scope, orderNumber, language)
      enqueue(tx, 'mail.send', { ...scope, ...mail, to: [email] })
      return { isQueued: true }
    },
  })

async function mailOf(
  db: Reader,
  parts: Pick<Platform, 'baseUrl' | 'seals'>,
  scope: Scope,
  orderNumber: string,
  language: Language,
): Promise<Omit<Mail, 'to'>> {
  const receipt = await requireReceipt(db, scope, orderNumber)
  const { name, country } = must(await selectSpace(db, scope.spaceId), 'Space of a request')
  const brand = await findBrand(db, scope)
  // Orders that were paid with payment codes have no page.
  const session = await selectSessionOf(db, scope, receipt.orderId)
  const t = receiptTexts[language]
  const merchant = brand.name ?? name
  const total = formatMoney({ currency: receipt.currency, value: receipt.amount }, language)
  const contact = contactOf(supportDetails(brand))
  const facts = [
    `${t.order}: ${receipt.name}`,
    `${t.orderNumber}: ${orderNumber}`,
    `${t.paidAt}: ${formatTime(receipt.createdAt, language, timeZoneOf(country))}`,
    `${t.total}: ${total}`,
  ]
  const paragraphs = [
    ...(scope.environment === 'test' ? [t.testNotice] : []),
    merchant,
    facts.join('\n'),
    ...(session ? [`${pageUrl(parts, scope, session.id)}/receipt`] : []),
    t.keep,
    ...(contact ? [`${t.questions} ${contact}`] : []),
  ]
  return { subject: t.title(merchant), text: paragraphs.join('\n\n') }
}
