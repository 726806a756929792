import { fieldsOf, formatMoney } from '@pesewa/values'
import type { FastifyReply } from 'fastify'
import { languageOf } from '../checkout/pages/language.ts'
import { methodsOf } from './methods.ts'
import { canBePaid, entriesOf, readEntries } from './opening.ts'
import { amountOf } from './payment-links.ts'
import type { LinkPageParts, LinkVisit } from './visits.ts'

/**
 * Sends the data of a link that a button on a merchant's page shows: the amount, if it is known before the payer
 * chooses one, and the names of the payment methods. Anyone with the link sees more on its page. If the link
 * cannot be paid, the button shows neither.
 */
export function sendButton(parts: LinkPageParts, visit: LinkVisit, reply: FastifyReply) {
  const { query, headers } = reply.request
  const { lang } = fieldsOf(query)
  const language = languageOf(typeof lang === 'string' ? lang : headers['accept-language'])
  const amount = canBePaid(visit) ? amountShown(visit, query) : undefined
  return reply
    .headers({
      ...buttonHeaders,
      vary: 'accept-language',
      'content-language': language,
    })
    .send({
      amount:
        amount === undefined ? null : formatMoney({ currency: visit.link.currency, value: amount }, language),
      methods: canBePaid(visit) ? methodsOf(parts, visit, language) : [],
    })
}

/** Scripts on any page may read it, without credentials. Browsers and proxies may keep it for five minutes. */
const buttonHeaders = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  'cache-control': 'public, max-age=300',
  'x-content-type-options': 'nosniff',
}

/**
 * Returns the amount with the values with which the button prefills the form; `undefined` if the payer chooses it.
 */
function amountShown({ link }: LinkVisit, query: unknown): bigint | undefined {
  const choice = readEntries({ ...link, referenceLabel: null }, entriesOf(query))
  const isValid = !Array.isArray(choice)
  if (!link.lineItems) return isValid ? choice.amount : undefined
  const quantity = isValid ? choice.quantity : (link.quantityMinimum ?? 1)
  return amountOf(link.lineItems) * BigInt(quantity)
}
