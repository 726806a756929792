import type { Environment } from '../platform/scope.ts'

/** The instructions of one kind to one provider, whatever their Space: to collect from payers, or to disburse to payees. */
export type Lane = { kind: 'collect' | 'disburse'; environment: Environment; providerId: string }

export const nameOf = ({ kind, environment, providerId }: Lane) => `${kind} ${environment} ${providerId}`
