import { type Environment, isEnvironment } from '../platform/scope.ts'
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
  const sealed = sealForAddress(seals, purposeOf(ownerType), [scope.environment, scope.spaceId, id])
  return `${baseUrl}/callbacks/${ownerType}s/${sealed}`
}

/** Seals words of which an address is to remind us, so that every rail takes the address. */
export function sealForAddress(seals: Seals, purpose: string, words: string[]): string {
  const sealed = seals.seal(purpose, words.join(' '))
  return refusedWords.test(sealed) ? sealForAddress(seals, purpose, [...words, '-']) : sealed
}

/** The words, or none where we never sealed them. */
export const readAddressSeal = (seals: Seals, purpose: string, sealed: string): string[] =>
  seals.open(purpose, sealed)?.split(' ') ?? []

/** Where a connection's rail reports on whatever it names. */
export const connectionCallbackUrl = (baseUrl: string, environment: Environment, connection: string) =>
  `${baseUrl}/callbacks/connections/${environment}/${connection}`

/** What an address was made for; `undefined` where we never issued it. */
export function readSealed(
  { seals }: { seals: Seals },
  ownerType: OwnerType,
  sealed: string,
): InstructionKey | undefined {
  const [environment, spaceId, id] = readAddressSeal(seals, purposeOf(ownerType), sealed)
  return isEnvironment(environment) && spaceId && id ? { scope: { spaceId, environment }, id } : undefined
}
