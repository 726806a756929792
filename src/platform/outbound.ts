import { Agent, request } from 'undici'

export type OutboundAnswer = { status: number; body: string }
export type OutboundRequest = {
  method: 'GET' | 'POST' | 'PUT'
  url: string
  headers?: Record<string, string>
  body?: string
  timeoutMs: number
}

/** No answer that can be understood came back; what the peer did is unknown. */
export class NoAnswer extends Error {}

const maxAnswerBytes = 64 * 1024
const maxHeaderBytes = 16 * 1024

/**
 * The one way out. Follows no redirect, reads at most 64 KiB, and ends after `timeoutMs` in all. Addresses come from
 * the operator's settings. An answer of any status is an answer; everything else is `NoAnswer`.
 */
export async function send(peer: Agent, message: OutboundRequest): Promise<OutboundAnswer> {
  try {
    const answer = await request(message.url, {
      dispatcher: peer,
      method: message.method,
      headers: message.headers ?? {},
      body: message.body ?? null,
      signal: AbortSignal.timeout(message.timeoutMs),
    })
    const chunks: Buffer[] = []
    let size = 0
    for await (const chunk of answer.body) {
      size += chunk.length
      if (size > maxAnswerBytes) throw new Error('the answer is too large')
      chunks.push(chunk)
    }
    return { status: answer.statusCode, body: Buffer.concat(chunks).toString() }
  } catch (error) {
    throw new NoAnswer(error instanceof Error ? error.message : 'no answer', { cause: error })
  }
}

/** A peer of its own per destination, so that a slow one holds only its own connections. */
export function createPeer(maxConnections: number): Agent {
  return new Agent({
    connections: maxConnections,
    pipelining: 1,
    maxHeaderSize: maxHeaderBytes,
    keepAliveTimeout: 10_000,
    connectTimeout: 5_000,
  })
}
