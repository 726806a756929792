import type { Environment } from '../platform/scope.ts'

/** The instructions of one kind to one provider, whatever their Space: to collect from payers, or to disburse to payees. */
export type RailLane = { kind: 'collect' | 'disburse'; environment: Environment; providerId: string }

export const nameOf = ({ kind, environment, providerId }: RailLane) => `${kind} ${environment} ${providerId}`
