import type { Seals } from '../platform/seals.ts'
import { nounOf } from './nouns.ts'
import type { Instruction, InstructionKey, InstructionKind } from './store.ts'

const purposeOf = (kind: InstructionKind) => `${nounOf[kind]} callback`

/** Where a provider reports on one instruction. The address is sealed: only the provider has it. */
export const callbackUrl = (
  { baseUrl, seals }: { baseUrl: string; seals: Seals },
  { kind, scope, id }: Pick<Instruction, 'kind' | 'scope' | 'id'>,
) =>
  `${baseUrl}/callbacks/${nounOf[kind]}s/${seals.seal(purposeOf(kind), [scope.environment, scope.spaceId, id].join(' '))}`

/** What an address was made for, or nothing where it is not one of ours. */
export function readSealed(seals: Seals, kind: InstructionKind, sealed: string): InstructionKey | undefined {
  const [environment, spaceId, id] = seals.open(purposeOf(kind), sealed)?.split(' ') ?? []
  return (environment === 'test' || environment === 'live') && spaceId && id
    ? { scope: { spaceId, environment }, id }
    : undefined
}
