import type { RateLimiter } from '../../platform/http/admission/rate-limits.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Followers } from '../../rails/instructions/follower.ts'
import type { InstructionSettings } from '../../rails/instructions/settings.ts'
import type { Providers } from '../../rails/providers/providers.ts'

export type BillParts = Platform<InstructionSettings> &
  Providers & { followers: Followers; limiter: RateLimiter }
