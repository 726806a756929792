import { type Environment, isEnvironment } from '../../platform/scope.ts'
import type { Seals } from '../../platform/seals.ts'
import type { OwnerType } from './owner-types.ts'
import type { Instruction, InstructionKey } from './store.ts'

const purposeOf = (ownerType: OwnerType) => `${ownerType} callback`

/** Words that Safaricom rejects in URLs. About one in 500 sealed paths contains one of the short words. */
const refusedWords = /mpesa|safaricom|exe|cmd|sql|query/i

/**
 * Returns the URL to which a provider sends reports on one instruction. Its path contains an authentication
 * tag, so that nobody else can guess it.
 */
export const callbackUrl = (
  { seals, baseUrl }: { seals: Seals; baseUrl: string },
  { ownerType, scope, id }: Pick<Instruction, 'ownerType' | 'scope' | 'id'>,
) => {
  const sealed = sealForUrl(seals, purposeOf(ownerType), [scope.environment, scope.spaceId, id])
  return `${baseUrl}/callbacks/${ownerType}s/${sealed}`
}

/** Seals words so that they can be part of a URL that every rail accepts. */
export function sealForUrl(seals: Seals, purpose: string, words: string[]): string {
  const sealed = seals.seal(purpose, words.join(' '))
  return refusedWords.test(sealed) ? sealForUrl(seals, purpose, [...words, '-']) : sealed
}

/** Returns the words that were sealed, or an empty list if the text was not sealed by us. */
export const openFromUrl = (seals: Seals, purpose: string, sealed: string): string[] =>
  seals.open(purpose, sealed)?.split(' ') ?? []

/**
 * Returns the URL to which a connection's rail sends reports. It is the same for all instructions, so each
 * report has to identify its instruction.
 */
export const connectionCallbackUrl = (baseUrl: string, environment: Environment, connection: string) =>
  `${baseUrl}/callbacks/connections/${environment}/${connection}`

/** Returns the instruction for which a callback URL was issued, or `undefined` if it was never issued. */
export function openCallbackUrl(
  { seals }: { seals: Seals },
  ownerType: OwnerType,
  sealed: string,
): InstructionKey | undefined {
  const [environment, spaceId, id] = openFromUrl(seals, purposeOf(ownerType), sealed)
  return isEnvironment(environment) && spaceId && id ? { scope: { spaceId, environment }, id } : undefined
}
