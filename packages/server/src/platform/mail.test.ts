import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { after, describe, test } from 'node:test'
import { startTestApp, until } from '../../../../test/support/harness.ts'
import { startMailbox } from '../../../../test/support/smtp.ts'
import { readSettings } from '../slices.ts'
import { enqueue } from './jobs/queue.ts'
import { createLog, type Log } from './log.ts'
import { createMailer } from './mail.ts'

const mailbox = await startMailbox()
after(() => mailbox.close())

const mailerAt = (SMTP_URL: string, log: Log = createLog('fatal')) =>
  createMailer(readSettings({ SMTP_URL, MAIL_FROM: 'Pesewa <pay@shop.example>' }), log)
const mailer = mailerAt(mailbox.url)
const mail = {
  to: ['ama@shop.example'],
  subject: 'An endpoint fails',
  text: 'It has not answered since noon.',
}

/** Returns the headers of the latest mail, unfolded, and its text. */
function last() {
  const { data, ...envelope } = mailbox.received.at(-1)!
  const [head, ...text] = data.split('\n\n')
  const headers = head!.replace(/\n[ \t]+/g, ' ').split('\n')
  const names = headers.map((header) => header.split(':', 1)[0]!.toLowerCase())
  const headerOf = (name: string) => headers[names.indexOf(name)]?.split(/: (.*)/s)[1]
  return { envelope, names, headerOf, text: text.join('\n\n').trimEnd() }
}

describe('an email', () => {
  test('arrives unchanged, over its own connection', async () => {
    const to = ['ama@shop.example', 'kofi@shop.example']
    await mailer.send({ ...mail, to })
    await mailer.send({ to, subject: 'Zahlung über 5 €', text: 'Größe\n.\n.. und mehr' })
    const first = mailbox.received.at(-2)!
    assert.deepEqual([first.from, first.to], ['pay@shop.example', to])
    assert.match(first.data, /^From: Pesewa <pay@shop\.example>$/m)
    assert.match(first.data, /^To: ama@shop\.example, kofi@shop\.example$/m)
    assert.match(first.data, /^Subject: An endpoint fails$/m)
    assert.match(first.data, /\n\nIt has not answered since noon\.\n$/)
    assert.match(last().headerOf('content-type')!, /^text\/plain; charset=utf-8/)
    const encoded = last()
      .text.replace(/=\n/g, '')
      .replace(/(?:=[0-9A-F]{2})+/g, (bytes) => Buffer.from(bytes.replaceAll('=', ''), 'hex').toString())
    assert.equal(encoded, 'Größe\n.\n.. und mehr')
  })

  test('is logged if there is no mail server, in production without its text', async () => {
    const lines: object[] = []
    const log = { ...createLog('fatal'), warn: (line: object) => lines.push(line) } as unknown as Log
    for (const BASE_URL of ['http://127.0.0.1:8080', 'http://localhost', 'https://pay.shop.example'])
      await createMailer(readSettings({ BASE_URL }), log).send(mail)
    const { text, ...rest } = mail
    assert.deepEqual(lines, [mail, mail, rest])
    assert.ok(text)
  })

  test('cannot be given headers or recipients through its subject or an address', async () => {
    await mailer.send(mail)
    const usual = last().names
    const smuggled = '\r\nBcc: thief@evil.example\r\nX-Smuggled: yes\r\n\r\nA text of its own'
    await mailer.send({ ...mail, subject: `Hello${smuggled}` })
    assert.deepEqual(last().names, usual)
    assert.deepEqual(last().envelope.to, mail.to)
    assert.equal(last().text, mail.text)

    for (const address of [
      `ama@shop.example${smuggled}`,
      'ama@shop.example, thief@evil.example',
      'ama@shop.example> <thief@evil.example',
      '"ama@shop.example, thief@evil.example" <thief@evil.example>',
      'ama@shop.example\r\nRCPT TO:<thief@evil.example>',
    ]) {
      const before = mailbox.received.length
      await mailer.send({ ...mail, to: [address] }).catch(() => {})
      for (const { to, data } of mailbox.received.slice(before)) {
        assert.ok(to.length <= 1, address)
        assert.doesNotMatch(data, /^(?:bcc|x-smuggled):/im, address)
      }
    }
  })

  test('is sent if the server accepts some of its recipients, and fails if it accepts none', async () => {
    mailbox.answers.set('gone@shop.example', '550 no such user')
    await mailer.send({ ...mail, to: ['gone@shop.example', 'ama@shop.example'] })
    assert.deepEqual(last().envelope.to, ['ama@shop.example'])
    const before = mailbox.received.length
    await assert.rejects(mailer.send({ ...mail, to: ['gone@shop.example'] }), /550/)
    assert.equal(mailbox.received.length, before)
  })

  test('fails if nothing listens, or if the listener is not a mail server', async () => {
    const closed = createServer()
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve))
    const { port } = closed.address() as { port: number }
    const smtpUrl = `smtp://127.0.0.1:${port}`
    closed.on('connection', (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
    await assert.rejects(mailerAt(smtpUrl).send(mail))
    await new Promise((resolve) => closed.close(resolve))
    await assert.rejects(mailerAt(smtpUrl).send(mail), /ECONNREFUSED/)
  })

  test('is one log line if there is no server', async () => {
    const lines: unknown[] = []
    const log = { warn: (fields: object) => void lines.push(fields) } as unknown as Log
    await mailerAt('', log).send(mail)
    assert.deepEqual(lines, [mail])
  })
})

test('an enqueued email is sent once the transaction commits, and retried if the server is busy', async () => {
  const t = await startTestApp({ settings: { SMTP_URL: mailbox.url } })
  try {
    const { scope } = await t.merchant()
    const { db } = t.app.parts
    const put = (subject: string, to: string) => (tx: Parameters<typeof enqueue>[0]) =>
      enqueue(tx, 'mail.send', { ...scope, ...mail, to: [to], subject })
    await assert.rejects(
      db.transaction(async (tx) => {
        await put('Never', 'ama@shop.example')(tx)
        throw new Error('rolled back')
      }),
    )
    mailbox.answers.set('busy@shop.example', '451 come back later')
    await db.transaction(put('Later', 'busy@shop.example'))
    await until(
      async () =>
        (await db.pool.query('select from jobs where attempts = 1 and last_error is not null')).rowCount,
    )
    mailbox.answers.delete('busy@shop.example')
    await until(() => last().headerOf('subject') === 'Later')
    assert.ok(!mailbox.received.some(({ data }) => data.includes('Never')))
  } finally {
    await t.close()
  }
})
