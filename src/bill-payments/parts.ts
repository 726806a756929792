import type { Followers } from '../instructions/follower.ts'
import type { InstructionSettings } from '../instructions/settings.ts'
import type { RateLimiter } from '../platform/http/rate-limits.ts'
import type { Platform } from '../platform/platform.ts'
import type { Providers } from '../providers/providers.ts'

export type BillParts = Platform<InstructionSettings> &
  Providers & { followers: Followers; limiter: RateLimiter }
