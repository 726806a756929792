import { isInProduction, type PlatformSettings } from './config.ts'
import type { Jobs } from './jobs/runner.ts'
import type { Log } from './log.ts'

/** A plain-text email. */
export type Mail = { to: string[]; subject: string; text: string }

export type Mailer = { send(mail: Mail): Promise<void> }

/** Jobs that send emails. They are enqueued in a transaction. If sending is retried, an email may arrive twice. */
export const mailJobs = (mailer: Mailer): Jobs => ({
  'mail.send': ({ to, subject, text }) =>
    mailer.send({ to: [to].flat().map(String), subject: String(subject), text: String(text) }),
})

/**
 * Creates a mailer. Without a mail server, it only logs emails, so that developers can read them. In
 * production, their text is omitted from the log, because it may contain sign-in links and what payers have
 * bought.
 */
export function createMailer(settings: PlatformSettings, log: Log): Mailer {
  const { smtpUrl, mailFrom } = settings
  const hidesText = isInProduction(settings)
  if (smtpUrl) return createSmtpMailer(smtpUrl, mailFrom, log)
  return {
    async send({ to, subject, text }) {
      log.warn({ to, subject, ...(!hidesText && { text }) }, 'email not sent: SMTP_URL is not set')
    },
  }
}

/** Connects to the mail server and signs in, but sends no email. Throws an error if this fails. */
export async function greetMailServer(smtpUrl: string): Promise<void> {
  const transport = (await import('nodemailer')).createTransport(transportSettings(smtpUrl))
  try {
    await transport.verify()
  } finally {
    transport.close()
  }
}

const timeoutMs = 10_000 // time for each step of sending an email: look-up, connection, greeting and each response

/**
 * Creates a mailer that opens a connection for each email. `smtp://` upgrades the connection to TLS if the
 * server offers it, and `smtps://` starts with TLS.
 */
function createSmtpMailer(smtpUrl: string, from: string, log: Log): Mailer {
  const settings = transportSettings(smtpUrl)
  // The library is loaded with the first email. Most processes never send one, and all of them start faster
  // without it.
  const open = async () => (await import('nodemailer')).createTransport(settings)
  let transport: ReturnType<typeof open> | undefined
  return {
    async send({ to, subject, text }) {
      transport ??= open()
      // Addresses are passed as objects, so that an address that contains a comma is not split in two.
      // `sendMail` throws an error if the server accepts none of the addresses.
      const { rejected } = await (await transport).sendMail({
        from,
        to: to.map((address) => ({ name: '', address })),
        subject,
        text,
      })
      if (rejected.length > 0)
        log.warn({ refused: rejected.length }, 'the mail server rejected some recipients')
    },
  }
}

function transportSettings(smtpUrl: string) {
  const { protocol, hostname, port, username, password } = new URL(smtpUrl)
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    ...(port && { port: Number(port) }),
    secure: protocol === 'smtps:',
    ...(username && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    dnsTimeout: timeoutMs,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}
