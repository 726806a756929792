import { isEnvironment } from '../platform/scope.ts'
import type { Seals } from '../platform/seals.ts'
import type { Instruction, InstructionKey, OwnerType } from './store.ts'

const purposeOf = (ownerType: OwnerType) => `${ownerType} callback`

/** Where a provider reports on one instruction. The address is sealed: only the provider has it. */
export const callbackUrl = (
  { seals, baseUrl }: { seals: Seals; baseUrl: string },
  { ownerType, scope, id }: Pick<Instruction, 'ownerType' | 'scope' | 'id'>,
) => {
  const sealed = seals.seal(purposeOf(ownerType), [scope.environment, scope.spaceId, id].join(' '))
  return `${baseUrl}/callbacks/${ownerType}s/${sealed}`
}

/** What an address was made for; `undefined` where we never issued it. */
export function readSealed(
  { seals }: { seals: Seals },
  ownerType: OwnerType,
  sealed: string,
): InstructionKey | undefined {
  const [environment, spaceId, id] = seals.open(purposeOf(ownerType), sealed)?.split(' ') ?? []
  return isEnvironment(environment) && spaceId && id ? { scope: { spaceId, environment }, id } : undefined
}
