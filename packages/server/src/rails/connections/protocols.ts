import assert from 'node:assert/strict'
import type { Rail } from '@pesewa/connector-kit'
import * as rails from '@pesewa/rails'

/** All supported protocols. */
export const protocols: readonly Rail[] = Object.values(rails)

export const protocolNames = protocols.map(({ name }) => name)

/** Returns the protocol with this name. The catalogue contains only names of supported protocols. */
export function protocolOf({ protocol: name }: { protocol: string }): Rail {
  const protocol = protocols.find((each) => each.name === name)
  assert(protocol, `there is no protocol ${name}`)
  return protocol
}
