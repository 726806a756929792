import type { RailSeals } from '@pesewa/connector-kit'

/** Returns this deployment's key for the simulated banks, wallets and acquirer. */
export const railKey = (seals: RailSeals) => seals.tag('simulator', 'rail key')

/** Returns the key with which the simulated banks and wallets sign their reports. */
export const callbackKey = (seals: RailSeals) => seals.tag('simulator', 'callback key')
