import { randomUUID } from 'node:crypto'
import { createPeer, NoAnswer, type OutboundAnswer, send } from '../../platform/outbound/outbound.ts'

/** A step of a USSD session, as entered on a handset. */
export type DialStep = {
  /** E.164 with `+`. */
  number: string
  /** Code that aggregators use for the phone's network. */
  networkCode: string
  /** Dialled code, such as `*715*5773920187#`. */
  code: string
  /** Copied from the response to the first step; absent from the first step. */
  sessionId?: string
  /** All inputs since dialling, oldest first. */
  inputs?: string[]
}

/** What the handset shows; if `isEnd`, nothing more can be entered. */
export type Screen = { sessionId: string; text: string; isEnd: boolean }

export type Dialling = { dial(step: DialStep): Promise<Screen>; close(): Promise<void> }

const answerTimeoutMs = 5_000 // time for the gateway’s response to a handset
const maxConnections = 20
/** Capacity of one USSD message. Networks do not show more. */
const maxScreenLength = 182 // characters of the gateway’s response that a handset shows

/**
 * Acts as the aggregator between handsets and our USSD gateway, using Africa's Talking's protocol. Stateless:
 * at each step, the handset sends everything entered so far. The gateway's URL contains a secret and never
 * leaves the server.
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
