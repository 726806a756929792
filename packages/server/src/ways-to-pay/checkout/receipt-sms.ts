import { createPeer, send } from '@pesewa/connector-kit'
import { formatMoney, must, speaksFrench, toMajorUnits } from '@pesewa/values'
import type { Agent } from 'undici'
import { signedHeaders } from '../../events/webhooks/message.ts'
import { readSecret, signHs256 } from '../../events/webhooks/signing.ts'
import { paymentIds } from '../../money/payments/resources.ts'
import { type Payment, selectPayment } from '../../money/payments/store.ts'
import { cutTo, septetsOf, toGsm7 } from '../../platform/gsm7.ts'
import { showId } from '../../platform/ids.ts'
import { scopeOf } from '../../platform/jobs/queue.ts'
import type { Jobs } from '../../platform/jobs/runner.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Scope } from '../../platform/scope.ts'
import { findBrand } from '../../tenants/spaces/brands.ts'
import { selectSpace } from '../../tenants/spaces/store.ts'
import { pageUrl } from './page-key.ts'
import type { Language } from './pages/language.ts'
import type { CheckoutSettings } from './settings.ts'

const connections = 4 // connections from one node to the operator’s SMS sender
const timeoutMs = 10_000 // timeout of one attempt to send a text message
const maxAgeMs = 86_400_000 // limit: age of a payment after which its text message is dropped

type SmsParts = Platform<CheckoutSettings>

export function receiptSmsJobs(parts: SmsParts): Jobs {
  const peer = createPeer(connections)
  return {
    'receipt.sms': async (payload) => {
      const scope = scopeOf(payload)
      const payment = must(
        await selectPayment(parts.db, scope, String(payload.paymentId)),
        'payment of a job',
      )
      if (parts.clock.now(scope).getTime() - payment.updatedAt.getTime() > maxAgeMs) {
        parts.log.warn(
          { payment: showId(paymentIds, payment.id) },
          'dropped a receipt SMS because its payment is too old',
        )
        return
      }
      await sendTextMessage(parts, peer, scope, payment)
    },
  }
}

/**
 * Posts the message to the operator's SMS sender, signed like a webhook. All attempts have the same
 * `webhook-id`, so that the SMS sender can ignore repeated requests.
 *
 * @throws Error if sending should be retried; its message does not contain the phone number
 */
async function sendTextMessage(parts: SmsParts, peer: Agent, scope: Scope, payment: Payment): Promise<void> {
  const { smsUrl, smsSecret } = parts.settings
  if (!smsUrl || !smsSecret) return
  const body = JSON.stringify({
    to: payment.payerAccount,
    text: await textFor(parts, scope, payment),
    environment: scope.environment,
  })
  const id = `sms-${showId(paymentIds, payment.id)}`
  const key = must(readSecret(smsSecret), 'key in SMS_SECRET')
  const { status } = await send(peer, {
    method: 'POST',
    url: smsUrl,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Pesewa-Sms/1',
      ...signedHeaders(id, (timestamp) => signHs256(key, id, timestamp, body)),
    },
    body,
    timeoutMs,
    answerBytes: 0,
  })
  if (status < 300) return
  if (status < 500 && status !== 408 && status !== 429)
    parts.log.warn({ status, id }, 'the SMS gateway rejected a receipt SMS')
  else throw new Error(`the SMS gateway responded with ${status}`)
}

async function textFor(parts: SmsParts, scope: Scope, payment: Payment): Promise<string> {
  const { name, country } = must(await selectSpace(parts.db, scope.spaceId), 'Space of a payment')
  const brand = await findBrand(parts.db, scope)
  return smsText({
    language: speaksFrench(country) ? 'fr' : 'en',
    merchant: brand.name ?? name,
    amount: payment,
    orderNumber: payment.orderNumber,
    url: pageUrl(parts, scope, payment.originId).replace('/pay/', '/r/'),
    isTest: scope.environment === 'test',
  })
}

/** Chosen by the Space's country. Krio and many other languages cannot be written in the GSM alphabet. */
type SmsLanguage = Extract<Language, 'en' | 'fr'>

const maxSmsSeptets = 160 // length of a text message

const words: Record<
  SmsLanguage,
  (amount: string, order: string, url: string) => { all: string; least: string }
> = {
  en: (amount, order, url) => ({
    all: `${amount} paid. Order ${order}. Receipt: ${url}`,
    least: `${amount} paid: ${url}`,
  }),
  fr: (amount, order, url) => ({
    all: `${amount} payé. Commande ${order}. Recu: ${url}`,
    least: `${amount} payé: ${url}`,
  }),
}

/**
 * Returns the text of a receipt, shortened to fit into one message, because a longer text would be billed as
 * two messages. If the text is too long, the merchant's name is shortened. If that is not enough, the order
 * number is left out, too.
 */
export function smsText({
  language,
  merchant,
  amount,
  orderNumber,
  url,
  isTest,
}: {
  language: SmsLanguage
  merchant: string
  amount: { currency: string; amount: bigint }
  orderNumber: string
  url: string
  isTest: boolean
}): string {
  const { currency, amount: value } = amount
  const written = formatMoney({ currency, value }, language)
  const plain = septetsOf(written) === undefined ? `${currency} ${toMajorUnits(value, currency)}` : written
  const { all, least } = words[language](plain, orderNumber, url)
  const begin = isTest ? 'TEST ' : ''
  for (const rest of [all, least]) {
    const room = maxSmsSeptets - must(septetsOf(`${begin}: ${rest}`), 'message in the GSM alphabet')
    if (room >= shortestName) return `${begin}${cutTo(toGsm7(merchant), room)}: ${rest}`
  }
  return `${begin}${least}`
}

const shortestName = 8
