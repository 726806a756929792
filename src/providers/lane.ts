import type { Environment } from '../platform/clock.ts'

/** What one provider is told of one kind, whatever Space it is of: to collect from payers, or to disburse to payees. */
export type Lane = { kind: 'collect' | 'disburse'; environment: Environment; providerId: string }

export const nameOf = ({ kind, environment, providerId }: Lane) => `${kind} ${environment} ${providerId}`
