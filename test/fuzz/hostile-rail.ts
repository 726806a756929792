import type { Socket } from 'node:net'
import { listen } from '../support/receiver.ts'
import type { HostileResponse } from './hostile-response.ts'

/** A request of the connector and the response that it received. */
export type Exchange = { message: string; response: HostileResponse }

/** Starts a rail that sends prepared bytes; `respond` chooses them by method and path. */
export async function startHostileRail() {
  let exchanges: Exchange[] = []
  const rail = {
    baseUrl: '',
    respond: undefined as ((message: string) => HostileResponse) | undefined,
    /** Returns the exchanges since the last call. */
    takeExchanges(): Exchange[] {
      const taken = exchanges
      exchanges = []
      return taken
    },
    close: () => receiver.close(),
  }
  const receiver = await listen((socket, head) => {
    const message = head.slice(0, head.indexOf(' HTTP/'))
    const response = rail.respond?.(message)
    if (!response) return socket.destroy()
    exchanges.push({ message, response })
    write(socket, response)
  })
  rail.baseUrl = `http://127.0.0.1:${receiver.port}`
  return rail
}

function write(socket: Socket, { status, headers, bytes, framing }: HostileResponse): void {
  const length = status === 204 ? 'x-empty: yes' : `content-length: ${bytes.length}`
  const header = {
    length,
    chunked: 'transfer-encoding: chunked',
    close: 'connection: close',
    short: `content-length: ${bytes.length + 1}`,
    half: length,
    none: '',
  }[framing]
  const head = Buffer.from([`HTTP/1.1 ${status} X`, ...headers, header, '', ''].join('\r\n'))
  const whole = Buffer.concat([head, framing === 'chunked' ? chunksOf(bytes) : bytes])
  // Written in one piece, because several pieces are slow.
  if (framing === 'none') socket.destroy()
  else if (framing === 'half') socket.end(head.subarray(0, 20))
  else if (framing === 'length' || framing === 'chunked') socket.write(whole)
  else socket.end(whole)
}

function chunksOf(bytes: Buffer): Buffer {
  const middle = bytes.length >> 1
  const chunks = [bytes.subarray(0, middle), bytes.subarray(middle)].filter(({ length }) => length > 0)
  const written = chunks.flatMap((chunk) => [Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, crlf])
  return Buffer.concat([...written, Buffer.from('0\r\n\r\n')])
}

const crlf = Buffer.from('\r\n')
