import type { Seals } from '../../../platform/seals.ts'

/** The key that the simulated banks, wallets and acquirer take from this deployment. */
export const railKey = (seals: Seals) => seals.tag('simulator', 'rail key')

/** With which the simulated banks and wallets sign their reports. */
export const callbackKey = (seals: Seals) => seals.tag('simulator', 'callback key')
