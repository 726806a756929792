import { readFileSync } from 'node:fs'
import { must } from '@pesewa/values'

/** Returns the version of this program, from `package.json`. */
export const programVersion = () => {
  const text = readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8')
  return must(/"version": "([^"]+)"/.exec(text)?.[1], 'program version')
}
