/** The operations of a rail: collect from payers, disburse to payees and refund collections. */
export const railKinds = ['collect', 'disburse', 'refund'] as const
export type RailKind = (typeof railKinds)[number]

/** The queue of instructions of one kind to one provider, across all Spaces. */
export type RailQueue = { kind: RailKind; environment: 'test' | 'live'; providerId: string }

/** The part of a queue that uses one of the provider's connections. */
export type ConnectionQueue = RailQueue & { connection: string }

export const queueName = ({ kind, environment, providerId }: RailQueue) =>
  `${kind} ${environment} ${providerId}`
