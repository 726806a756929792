import { readSettings, type Settings } from '../../slices.ts'

/** Returns the settings, or `undefined` if they are invalid. The check "settings" then reports the reason. */
export function validSettings(env: NodeJS.ProcessEnv): Settings | undefined {
  try {
    return readSettings(env)
  } catch {
    return undefined
  }
}
