import {
  type OutboundAnswer,
  pageOf,
  parseFields,
  type RailBalance,
  type RailStatements,
  type StatementPeriod,
  type UnknownOutcome,
  unknown,
} from '@pesewa/connector-kit'
import { fieldsOf, hasFields } from '@pesewa/values'
import type { openPawapay } from './rail.ts'

const maxDays = 31
const dayMs = 86_400_000

/**
 * Requests statements of the wallet that holds a provider's money. If the provider has no wallet of its own,
 * this is the country's wallet, which holds the money of all providers in that country.
 *
 * @param name pawaPay's name for the provider
 * @param origin the origin of the files; nothing is downloaded from any other origin
 */
export const createStatements = (
  { name, origin }: { name: string; origin: string },
  rail: Pick<ReturnType<typeof openPawapay>, 'get' | 'post' | 'balances'>,
): RailStatements => ({
  async request({ currency, from, until, callbackUrl }) {
    const fault = periodFault({ from, until })
    if (fault) return { outcome: 'refused', why: fault }
    const balances = await rail.balances()
    if (!Array.isArray(balances)) return unknown(`failed to list wallets: ${balances.why}`)
    const wallet = walletOf(balances, name, currency)
    if (!wallet)
      return {
        outcome: 'refused',
        why: `our pawaPay account has no ${currency} wallet for this provider or its country`,
      }
    const message = { wallet, callbackUrl, startDate: timeOf(from), endDate: timeOf(until) }
    return rail.post('/v2/statements', message, requestedOf)
  },
  query: (statementId) =>
    rail.get(`/v2/statements/${statementId}`, (response) => stateOf(response, statementId, origin)),
})

function periodFault({ from, until }: Pick<StatementPeriod, 'from' | 'until'>): string | undefined {
  const lastingMs = until.getTime() - from.getTime()
  if (lastingMs <= 0) return 'the start must be before the end'
  return lastingMs > maxDays * dayMs ? `pawaPay statements cover at most ${maxDays} days` : undefined
}

/**
 * Finds the wallet of a provider. The wallets in `balances` are named after a country, or after a country and a
 * provider.
 *
 * @param name pawaPay's name for the provider
 */
function walletOf(balances: RailBalance[], name: string, currency: string) {
  const country = name.slice(-3)
  const has = (wallet: string) =>
    balances.some((balance) => balance.name === wallet && balance.currency === currency)
  if (has(`${country} ${name}`)) return { country, currency, provider: name }
  return has(country) ? { country, currency } : undefined
}

/** Formats a time in UTC, without a time zone: `2025-05-10T10:00:00`. */
const timeOf = (moment: Date) => moment.toISOString().slice(0, 19)

type Requested = Awaited<ReturnType<RailStatements['request']>>

function requestedOf({ status, body }: OutboundAnswer): Requested {
  const { status: word, statementId, failureReason } = parseFields(body) ?? {}
  if (status === 200 && word === 'ACCEPTED' && isId(statementId)) return { outcome: 'accepted', statementId }
  const code = codeOf(failureReason)
  return (status === 200 && word === 'REJECTED') || (status === 400 && code !== undefined)
    ? { outcome: 'refused', why: `pawaPay refused the request${code ? `: ${code}` : ''}` }
    : unknown(`${status}`)
}

type State = Awaited<ReturnType<RailStatements['query']>>

function stateOf({ status, body }: OutboundAnswer, statementId: string, origin: string): State {
  const { status: word, data } = parseFields(body) ?? {}
  if (status !== 200 || word !== 'FOUND' || !hasFields(data)) return unknown(`${status}`)
  if (data.statementId !== statementId) return unknown('the response is for another statement')
  if (data.status === 'PROCESSING') return { outcome: 'pending' }
  if (data.status === 'COMPLETED') return fileAt(data.downloadUrl, origin)
  const code = codeOf(data.failureReason)
  return data.status === 'FAILED'
    ? { outcome: 'refused', why: `pawaPay could not generate the statement${code ? `: ${code}` : ''}` }
    : unknown('the response has an unknown state')
}

/**
 * Checks the URL of a finished file. Anyone who knows the URL can download the file, so messages show only its
 * origin.
 */
function fileAt(downloadUrl: unknown, origin: string): State | UnknownOutcome {
  const url = pageOf(origin, downloadUrl)
  if (url !== undefined) return { outcome: 'ready', url }
  const named = URL.parse(String(downloadUrl))?.origin ?? 'no URL'
  return {
    outcome: 'refused',
    why: `the download URL is at ${named}, not at ${origin}; set statementOrigin if ${named} belongs to pawaPay`,
  }
}

const isId = (text: unknown): text is string =>
  typeof text === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)

function codeOf(reason: unknown): string | undefined {
  const { failureCode } = fieldsOf(reason)
  return typeof failureCode === 'string' && /^[A-Z_]{1,64}$/.test(failureCode) ? failureCode : undefined
}
