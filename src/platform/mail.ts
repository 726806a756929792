import { isInProduction, type PlatformSettings } from './config.ts'
import type { Jobs } from './jobs/runner.ts'
import type { Log } from './log.ts'

/** A mail in plain text. */
export type Mail = { to: string[]; subject: string; text: string }

export type Mailer = { send(mail: Mail): Promise<void> }

/** Sends what was enqueued in the transaction of its cause. A mail that is tried again may come twice. */
export const mailJobs = (mailer: Mailer): Jobs => ({
  'mail.send': ({ to, subject, text }) =>
    mailer.send({ to: [to].flat().map(String), subject: String(subject), text: String(text) }),
})

/**
 * Without a mail server mail is written to the log and goes nowhere else, so that it can be seen while trying out. In production
 * its text is left out: it has links that sign in, and what payers bought.
 */
export function createMailer(settings: PlatformSettings, log: Log): Mailer {
  const { smtpUrl, mailFrom } = settings
  const hidesText = isInProduction(settings)
  if (smtpUrl) return createSmtpMailer(smtpUrl, mailFrom, log)
  return {
    async send({ to, subject, text }) {
      log.warn({ to, subject, ...(!hidesText && { text }) }, 'mail: SMTP_URL is not set')
    },
  }
}

/** Greets the mail server and logs in, sends nothing. Throws what was in the way. */
export async function greetMailServer(smtpUrl: string): Promise<void> {
  const transport = (await import('nodemailer')).createTransport(transportSettings(smtpUrl))
  try {
    await transport.verify()
  } finally {
    transport.close()
  }
}

const timeoutMs = 10_000 // limit: time for each step of sending a mail: look-up, connection, greeting, each response

/** A connection for each mail. `smtp://` upgrades to TLS when the server offers it, `smtps://` begins with it. */
function createSmtpMailer(smtpUrl: string, from: string, log: Log): Mailer {
  const settings = transportSettings(smtpUrl)
  // Loaded with the first mail: most programs never write one, and all start sooner without it.
  const open = async () => (await import('nodemailer')).createTransport(settings)
  let transport: ReturnType<typeof open> | undefined
  return {
    async send({ to, subject, text }) {
      transport ??= open()
      // An address as an object is one: a comma in it does not make it two. Throws when the server takes none of them.
      const { rejected } = await (await transport).sendMail({
        from,
        to: to.map((address) => ({ name: '', address })),
        subject,
        text,
      })
      if (rejected.length > 0)
        log.warn({ refused: rejected.length }, 'the mail server refused some recipients')
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
