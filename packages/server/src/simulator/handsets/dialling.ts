import { randomUUID } from 'node:crypto'
import { createPeer, NoAnswer, type OutboundAnswer, send } from '@pesewa/connector-kit'

/** A step of a USSD session, as entered on a handset. */
export type DialStep = {
  /** In E.164 format, with `+`. */
  number: string
  /** Code that aggregators use for the phone's network. */
  networkCode: string
  /** The dialled code, such as `*715*5773920187#`. */
  code: string
  /** Copied from the response to the first step. The first step has none. */
  sessionId?: string
  /** All inputs since the code was dialled, oldest first. */
  inputs?: string[]
}

/** The screen of the handset. If `isEnd` is set, nothing more can be entered. */
export type Screen = { sessionId: string; text: string; isEnd: boolean }

export type Dialling = { dial(step: DialStep): Promise<Screen>; close(): Promise<void> }

const answerTimeoutMs = 5_000 // how long a handset waits for the gateway’s response
const maxConnections = 20
/** Capacity of one USSD message. Networks do not show any more than that. */
const maxScreenLength = 182 // maximum number of characters of the gateway’s response that a handset shows

/**
 * Returns the aggregator between the handsets and our USSD gateway, which uses Africa's Talking's protocol. It
 * is stateless: at each step, the handset sends everything that has been entered so far. The gateway's URL
 * contains a secret and never leaves the server.
 */
export function openDialling(gatewayUrl: string): Dialling {
  const peer = createPeer(maxConnections)
  const ask = async (fields: Record<string, string>): Promise<OutboundAnswer | undefined> => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const body = new URLSearchParams(fields).toString()
    try {
      return await send(peer, { method: 'POST', url: gatewayUrl, headers, body, timeoutMs: answerTimeoutMs })
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error
      return undefined
    }
  }
  return {
    async dial({ number, networkCode, code, sessionId = `ATUid_${randomUUID()}`, inputs = [] }) {
      const text = inputs.join('*')
      const answer = await ask({ sessionId, serviceCode: code, phoneNumber: number, networkCode, text })
      return { sessionId, ...screenOf(answer) }
    },
    close: () => peer.close(),
  }
}

function screenOf(answer: OutboundAnswer | undefined): { text: string; isEnd: boolean } {
  const [, kind, text = ''] = (answer?.status === 200 && /^(CON|END) (.*)$/s.exec(answer.body)) || []
  if (kind === undefined) return { text: 'Network problem. Try again later.', isEnd: true }
  return { text: text.slice(0, maxScreenLength), isEnd: kind === 'END' }
}
