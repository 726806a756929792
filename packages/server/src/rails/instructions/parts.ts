import type { Platform } from '../../platform/platform.ts'
import type { SubmitAges } from '../connections/conclusive-missing.ts'
import type { Providers } from '../providers/providers.ts'
import type { ConnectionStats } from '../routing/connection-stats.ts'
import type { SuccessGuard } from '../routing/success-guard.ts'
import type { Followers } from './follower.ts'
import type { Admit } from './instructions.ts'
import type { InstructionSettings } from './settings.ts'
import type { Instruction } from './store.ts'

/** The parts of the program that this slice depends on. */
export type InstructionParts = Platform<InstructionSettings> &
  Providers & {
    followers: Followers
    successGuard: Pick<SuccessGuard, 'record'>
    connectionStats: Pick<ConnectionStats, 'countEnd' | 'countCall' | 'noteReport'>
    /** This node's queues, for sending a new instruction or querying an existing one immediately. */
    queues: { admit: Admit; queryEarly(instruction: Instruction & SubmitAges): boolean }
  }
