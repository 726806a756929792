import type { Environment } from '../platform/scope.ts'

/** What a rail can do: collect from payers, disburse to payees, or give back what it collected. */
export const railKinds = ['collect', 'disburse', 'refund'] as const
export type RailKind = (typeof railKinds)[number]

/** The instructions of one kind to one provider, whatever their Space. */
export type RailLane = { kind: RailKind; environment: Environment; providerId: string }

/** Those that leave by one of the provider's connections. */
export type RoadLane = RailLane & { connection: string }

export const nameOf = ({ kind, environment, providerId }: RailLane) => `${kind} ${environment} ${providerId}`
