import type { Platform } from '../platform/platform.ts'
import type { Catalogue } from '../providers/catalogue.ts'
import type { Connectors } from '../providers/connectors.ts'
import type { Traffic } from '../providers/traffic.ts'
import type { Followers } from './follower.ts'

export type RailLaneParts = Platform & {
  catalogue: Catalogue
  connectors: Connectors
  traffic: Traffic
  followers: Followers
}

export const maxTaken = 200 // limit: instructions taken from a lane in one transaction
/** A rail that rests is looked at again after so long: what waits may have been withdrawn, and the node may stop. */
export const longestWaitMs = 1_000
