import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { Server as TlsServer } from 'node:tls'

/** A server whose responses a test writes byte by byte, so that it can send any valid or broken response. */
export type Receiver = {
  port: number
  /** The number of connections so far. */
  connections: number
  /** The request line and headers of each request, in order. */
  heads: string[]
  open: Set<Socket>
  close(): Promise<void>
}

/** Called for each request as soon as its headers have arrived, without waiting for its body. */
export type Behaviour = (socket: Socket, head: string) => void

type Place = { host?: string; port?: number; server?: Server }

export async function listen(behave: Behaviour = answerOk, place: Place = {}): Promise<Receiver> {
  const { host = '127.0.0.1', port = 0, server = createServer() } = place
  const open = new Set<Socket>()
  const receiver: Receiver = {
    port,
    connections: 0,
    heads: [],
    open,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of open) socket.destroy()
      await closed
    },
  }
  server.on(server instanceof TlsServer ? 'secureConnection' : 'connection', (socket: Socket) => {
    receiver.connections++
    open.add(socket)
    socket.on('error', () => {}).on('close', () => open.delete(socket))
    readHeads(socket, (head) => {
      receiver.heads.push(head)
      behave(socket, head)
    })
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
  receiver.port = (server.address() as AddressInfo).port
  return receiver
}

export function answerOk(socket: Socket): void {
  socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok')
}

const endOfHead = '\r\n\r\n'

function readHeads(socket: Socket, take: (head: string) => void): void {
  let text = ''
  let bodyBytesToCome = 0
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    text += chunk
    for (;;) {
      const skipped = Math.min(bodyBytesToCome, text.length)
      bodyBytesToCome -= skipped
      text = text.slice(skipped)
      const end = text.indexOf(endOfHead)
      if (bodyBytesToCome > 0 || end < 0) return
      const head = text.slice(0, end)
      text = text.slice(end + endOfHead.length)
      bodyBytesToCome = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0)
      take(head)
    }
  })
}
