import type { Seals } from '../../../platform/seals.ts'

/** The key of this deployment at the simulated banks, wallets and acquirer. */
export const railKey = (seals: Seals) => seals.tag('simulator', 'rail key')

/** With which the simulated banks and wallets sign their reports. */
export const callbackKey = (seals: Seals) => seals.tag('simulator', 'callback key')
