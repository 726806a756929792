import { readSettings, type Settings } from '../../slices.ts'

/** Returns the settings, or `undefined` if they are invalid. The check "settings" then reports the reason. */
export function validSettings(): Settings | undefined {
  try {
    return readSettings(process.env)
  } catch {
    return undefined
  }
}
