import type { RailSeals } from '@pesewa/connector-kit'

/**
 * Returns this deployment's key for the simulated rail. It is derived from the deployment's secret, so it is
 * the same on all nodes and nobody else can use it.
 */
export const simulatorKey = (seals: RailSeals) => seals.tag('simulator', 'example-rail key')
