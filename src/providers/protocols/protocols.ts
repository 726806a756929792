import type { Protocol } from '../protocol.ts'
import { acquirer } from './acquirer/protocol.ts'
import { mtnMomo } from './mtn-momo/protocol.ts'
import { rest } from './rest/protocol.ts'

/** Every protocol that we speak. */
export const protocols: readonly Protocol[] = [mtnMomo, rest, acquirer]

export const protocolNames = protocols.map(({ name }) => name)

const byName = new Map(protocols.map((protocol) => [protocol.name, protocol]))

/** @throws Error when there is no such protocol, which the catalogue has ruled out */
export function protocolOf({ protocol: name }: { protocol: string }): Protocol {
  const protocol = byName.get(name)
  if (!protocol) throw new Error(`there is no protocol ${name}`)
  return protocol
}
