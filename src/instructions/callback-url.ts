import { isEnvironment } from '../platform/scope.ts'
import type { InstructionParts } from './parts.ts'
import type { Instruction, InstructionKey, InstructionKind } from './store.ts'

const purposeOf = ({ followers }: InstructionParts, kind: InstructionKind) =>
  `${followers[kind].noun} callback`

/** Where a provider reports on one instruction. The address is sealed: only the provider has it. */
export const callbackUrl = (
  parts: InstructionParts,
  { kind, scope, id }: Pick<Instruction, 'kind' | 'scope' | 'id'>,
) => {
  const sealed = parts.seals.seal(purposeOf(parts, kind), [scope.environment, scope.spaceId, id].join(' '))
  return `${parts.baseUrl}/callbacks/${parts.followers[kind].noun}s/${sealed}`
}

/** What an address was made for; `undefined` where we never issued it. */
export function readSealed(
  parts: InstructionParts,
  kind: InstructionKind,
  sealed: string,
): InstructionKey | undefined {
  const [environment, spaceId, id] = parts.seals.open(purposeOf(parts, kind), sealed)?.split(' ') ?? []
  return isEnvironment(environment) && spaceId && id ? { scope: { spaceId, environment }, id } : undefined
}
