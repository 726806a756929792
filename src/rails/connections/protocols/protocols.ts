import assert from 'node:assert/strict'
import type { Protocol } from '../protocol.ts'
import { acquirer } from './acquirer/protocol.ts'
import { airtelMoney } from './airtel-money/protocol.ts'
import { gsma } from './gsma/protocol.ts'
import { mpesaDaraja } from './mpesa-daraja/protocol.ts'
import { mtnMomo } from './mtn-momo/protocol.ts'
import { pawapay } from './pawapay/protocol.ts'
import { paystack } from './paystack/protocol.ts'
import { rest } from './rest/protocol.ts'

/** All supported protocols. */
export const protocols: readonly Protocol[] = [
  mtnMomo,
  rest,
  acquirer,
  pawapay,
  airtelMoney,
  mpesaDaraja,
  gsma,
  paystack,
]

export const protocolNames = protocols.map(({ name }) => name)

/** Returns the protocol with this name. The catalogue contains only names of supported protocols. */
export function protocolOf({ protocol: name }: { protocol: string }): Protocol {
  const protocol = protocols.find((each) => each.name === name)
  assert(protocol, `there is no protocol ${name}`)
  return protocol
}
