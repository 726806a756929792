import {
  type AccountHolder,
  holderNameOf,
  moneyIn,
  type OutboundAnswer,
  type ProbeStep,
  parseFields,
  type RailBalance,
  type UnknownOutcome,
  unknown,
} from '@pesewa/connector-kit'
import { fieldsOf } from '@pesewa/values'
import { refusingError, shown } from './codes.ts'
import type { GsmaGateway } from './gateway.ts'
import type { GsmaSettings } from './settings.ts'

/**
 * Looks up an account holder with two calls, because the standard returns an account's name and its status
 * separately.
 */
export async function findHolder(gateway: GsmaGateway, phone: string): Promise<AccountHolder> {
  const path = `/accounts/msisdn/${encodeURIComponent(phone)}`
  const [name, isActive] = await Promise.all([
    gateway.get(`${path}/accountname`, readName),
    gateway.get(`${path}/status`, readState),
  ])
  if (typeof name !== 'string') return name
  return typeof isActive === 'boolean' ? { outcome: 'found', holderName: name, isActive } : isActive
}

function readName(response: OutboundAnswer): string | { outcome: 'missing' } | UnknownOutcome {
  if (refusingError(response)?.category === 'identification') return { outcome: 'missing' }
  if (response.status !== 200) return unknown(shown(response))
  const { fullName, firstName, middleName, lastName } = fieldsOf(parseFields(response.body)?.name)
  return (
    holderNameOf(fullName) ??
    holderNameOf(firstName, middleName, lastName) ??
    unknown('the response has no name')
  )
}

function readState(response: OutboundAnswer): boolean | UnknownOutcome {
  const { accountStatus, status = accountStatus } = parseFields(response.body) ?? {}
  if (response.status !== 200 || typeof status !== 'string') return unknown(shown(response))
  return status.toLowerCase() === 'available'
}

/** Reads the balance of our own account. */
export function balancesOf(
  gateway: GsmaGateway,
  { merchant, currency: only }: GsmaSettings,
): Promise<RailBalance[] | UnknownOutcome> {
  return gateway.get(
    `/accounts/${merchant.key}/${encodeURIComponent(merchant.value)}/balance`,
    (response) => {
      const { availableBalance, currentBalance, currency: named } = parseFields(response.body) ?? {}
      const { amount, currency } = moneyIn({
        amount: availableBalance ?? currentBalance,
        currency: named ?? only,
      })
      return response.status === 200 && amount !== undefined && currency !== undefined
        ? [{ name: merchant.key, currency, amount }]
        : unknown(shown(response))
    },
  )
}

/** Checks whether the wallet reports itself as available. */
export async function probeHeartbeat(gateway: GsmaGateway): Promise<ProbeStep> {
  const step = 'heartbeat'
  const state = await gateway.get('/heartbeat', (response) => {
    const { serviceStatus } = parseFields(response.body) ?? {}
    const isKnown = ['available', 'degraded', 'unavailable'].includes(String(serviceStatus))
    return response.status === 200 && isKnown ? String(serviceStatus) : unknown(shown(response))
  })
  if (typeof state === 'string')
    return { step, outcome: state === 'unavailable' ? 'failed' : 'ok', detail: `the wallet is ${state}` }
  return { step, outcome: /\b4\d\d\b/.test(state.why) ? 'failed' : 'unknown', detail: state.why }
}
