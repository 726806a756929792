import type { Seals } from '../../../../platform/seals.ts'

/** Returns this deployment's key for the simulated banks, wallets and acquirer. */
export const railKey = (seals: Seals) => seals.tag('simulator', 'rail key')

/** Returns the key with which the simulated banks and wallets sign their reports. */
export const callbackKey = (seals: Seals) => seals.tag('simulator', 'callback key')
