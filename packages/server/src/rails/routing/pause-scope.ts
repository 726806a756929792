import type { Environment } from '../../platform/scope.ts'

/** A pause in the direction `pay_out` also applies to refunds. */
export const pauseDirections = ['collect', 'pay_out'] as const
export type PauseDirection = (typeof pauseDirections)[number]

/** What a pause applies to: a connection, with one or all of its providers. */
export type PauseScope = {
  environment: Environment
  connection: string
  providerId: string | null
  direction: PauseDirection
}
