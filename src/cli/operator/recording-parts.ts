import { openFollowers } from '../../followers.ts'
import { createLog } from '../../platform/log.ts'
import { ownUrl } from '../../platform/platform.ts'
import { createSeals } from '../../platform/seals.ts'
import { readSecretKey } from '../../platform/secret-key.ts'
import { readSettings } from '../../slices.ts'

/** Opens the dependencies that a command needs to record outcomes as the service does. */
export function openRecordingParts() {
  const settings = readSettings(process.env)
  const seals = createSeals(readSecretKey(settings))
  const baseUrl = settings.baseUrl ?? ownUrl(settings)
  return {
    settings,
    seals,
    baseUrl,
    followers: openFollowers({ settings, baseUrl, seals }),
    log: createLog(settings.logLevel),
  }
}
