import { isEnvironment } from '../platform/scope.ts'
import type { Seals } from '../platform/seals.ts'
import type { OwnerType } from './owner-types.ts'
import type { Instruction, InstructionKey } from './store.ts'

const purposeOf = (ownerType: OwnerType) => `${ownerType} callback`

/** Words that Safaricom refuses in addresses; a seal would contain one of the short ones once in 500 times. */
const refusedWords = /mpesa|safaricom|exe|cmd|sql|query/i

/** Where a provider reports on one instruction. The address is sealed: only the provider has it. */
export const callbackUrl = (
  { seals, baseUrl }: { seals: Seals; baseUrl: string },
  { ownerType, scope, id }: Pick<Instruction, 'ownerType' | 'scope' | 'id'>,
) => {
  const about = [scope.environment, scope.spaceId, id]
  const sealAgain = (padding: string[]): string => {
    const sealed = seals.seal(purposeOf(ownerType), [...about, ...padding].join(' '))
    return refusedWords.test(sealed) ? sealAgain([...padding, '-']) : sealed
  }
  return `${baseUrl}/callbacks/${ownerType}s/${sealAgain([])}`
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
