import type { Connector } from '@pesewa/connector-kit'
import type { Agent } from 'undici'
import { openBills, statementLister } from './bills.ts'
import { openCollecting } from './collecting.ts'
import { longestCallMs, openGateway } from './gateway.ts'
import { openPayouts } from './paying-out.ts'
import { createReportReader } from './report.ts'
import type { DarajaSettings } from './settings.ts'
import { createSourceCheck, safaricomAddresses } from './source-addresses.ts'

/**
 * Creates the connector for Safaricom's M-Pesa, which uses its Daraja APIs: M-Pesa Express and, if an API
 * operator is configured, B2C.
 *
 * @param peer the sockets to this rail; closed with the connector
 */
export function createDaraja(settings: DarajaSettings, peer: Agent): Connector {
  const { payouts, bills, callbackAddresses = safaricomAddresses } = settings
  const isSource = createSourceCheck(callbackAddresses)
  const gateway = openGateway(settings, peer)
  const handled = bills && openBills({ ...settings, bills }, gateway, isSource)
  const listStatement = handled && statementLister(handled)
  return {
    longestCallMs: longestCallMs(settings),
    preparationMs: longestCallMs(settings) - settings.timeoutMs,
    ...openCollecting(settings, gateway),
    ...(payouts && openPayouts(payouts, gateway)),
    ...(handled && { bills: handled }),
    ...(listStatement && { listStatement }),
    readReport: createReportReader(isSource),
    close: () => peer.close(),
  }
}
