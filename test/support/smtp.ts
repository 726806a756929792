import { createServer, type Socket } from 'node:net'
import { createInterface } from 'node:readline'

/** A mail as it was received: its envelope, and the text between DATA and the final dot. */
export type Received = { from: string; to: string[]; data: string }

export type Mailbox = {
  url: string
  received: Received[]
  /** Responses to RCPT by address; `250 ok` for all others. */
  answers: Map<string, string>
  close(): Promise<void>
}

/** Starts a mail server on loopback that accepts everything by default. */
export async function startMailbox(): Promise<Mailbox> {
  const received: Received[] = []
  const answers = new Map<string, string>()
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}))
    const say = (line: string) => socket.write(`${line}\r\n`)
    let mail: Received = { from: '', to: [], data: '' }
    let isData = false
    say('220 mailbox')
    createInterface(socket).on('line', (line) => {
      const address = /<(.*?)>/.exec(line)?.[1] ?? ''
      if (isData) {
        if (line !== '.') mail.data += `${line.replace(/^\./, '')}\n`
        else {
          isData = false
          received.push(mail)
          say('250 taken')
        }
      } else if (/^MAIL/i.test(line)) {
        mail = { from: address, to: [], data: '' }
        say('250 ok')
      } else if (/^RCPT/i.test(line)) {
        const answer = answers.get(address) ?? '250 ok'
        if (answer.startsWith('250')) mail.to.push(address)
        say(answer)
      } else if (/^DATA/i.test(line)) {
        isData = true
        say('354 go on')
      } else if (/^QUIT/i.test(line)) socket.end('221 bye\r\n')
      else say('250 mailbox')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    answers,
    close() {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
