import type { Agent } from 'undici'
import type { Connector } from '../../connector.ts'
import { collecting } from './collecting.ts'
import { longestCallMs, openGateway } from './gateway.ts'
import { payingOut } from './paying-out.ts'
import { createReportReader } from './report.ts'
import type { DarajaSettings } from './settings.ts'
import { createSourceCheck, safaricomAddresses } from './source-addresses.ts'

/**
 * Safaricom's M-Pesa, by its Daraja APIs: M-Pesa Express, and, where there is an API operator for it, B2C.
 *
 * @param peer the connections to this rail; closed with the connector
 */
export function createDaraja(settings: DarajaSettings, peer: Agent): Connector {
  const { payouts, callbackAddresses = safaricomAddresses } = settings
  const gateway = openGateway(settings, peer)
  return {
    longestCallMs: longestCallMs(settings),
    preparationMs: longestCallMs(settings) - settings.timeoutMs,
    ...collecting(settings, gateway),
    ...(payouts && payingOut(payouts, gateway)),
    readReport: createReportReader(createSourceCheck(callbackAddresses)),
    close: () => peer.close(),
  }
}
