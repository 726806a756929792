import { once } from 'node:events'
import { Readable } from 'node:stream'
import { codeOf, messageOf, must } from '@pesewa/values'
import pg from 'pg'

// Copies all files of a running PostgreSQL server (versions 15 to 18) with the BASE_BACKUP command of its
// replication protocol. pg_basebackup reads the same data, but our code does not need the PostgreSQL client
// programs. https://www.postgresql.org/docs/current/protocol-replication.html

/** Thrown if a backup cannot be made or restored. The message is one line that says what to do. */
export class BackupError extends Error {
  override name = 'BackupError'
}

/** A piece of the copy. The archive of the files arrives first, followed by the manifest that lists them. */
export type Piece = { of: 'archive' | 'manifest'; bytes: Buffer } | { of: 'progress'; done: number }

export type BaseBackup = {
  /** Identifies the database cluster. Copies of a cluster have the same id. */
  systemId: string
  /** Approximate size of the archive in bytes. */
  estimatedBytes: number
  pieces: AsyncIterable<Piece>
  /** Resolves once the last piece has been read. The value is the WAL position at which the copy ends. */
  end: Promise<string>
}

const stallLimitMs = 600_000 // time for which a backup waits for data from the server
const piecesAhead = 32 // pieces of about 64 KiB that a backup keeps in memory

/**
 * Streams a copy of the database to `work`.
 *
 * See docs/decisions/0019-backups.md.
 */
export async function withBaseBackup<T>(
  connection: pg.ClientConfig,
  label: string,
  work: (backup: BaseBackup) => Promise<T>,
): Promise<T> {
  const options: pg.ClientConfig & { replication: string } = {
    ...connection,
    replication: 'database',
    application_name: 'pesewa backup',
    keepAlive: true,
    connectionTimeoutMillis: 5_000,
  }
  const client = new pg.Client(options)
  // If the server dies, the copy fails; without a listener, the error would also end the process.
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query('IDENTIFY_SYSTEM')
    // The server keeps its WAL until this connection closes, because a long copy needs all of it.
    await client.query(
      `CREATE_REPLICATION_SLOT "pesewa_backup_${process.pid}" TEMPORARY PHYSICAL RESERVE_WAL`,
    )
    const copy = createCopy()
    client.query(
      copy.command(
        `BASE_BACKUP (LABEL '${label}', PROGRESS true, CHECKPOINT 'fast', WAL true, MANIFEST 'yes', MANIFEST_CHECKSUMS 'SHA256')`,
      ),
    )
    return await work({
      systemId: String(rows[0].systemid),
      estimatedBytes: await copy.estimatedBytes,
      pieces: piecesOf(copy.messages),
      end: copy.end,
    })
  } catch (error) {
    throw explain(error)
  } finally {
    // Do not wait for data that nobody will read.
    await Promise.race([client.end(), once(client, 'end')]).catch(() => {})
  }
}

/**
 * Creates a command whose response can be read as a stream with backpressure. `pg` does not support the copy
 * protocol, but it passes protocol messages to an object like this one, which is also how `pg-copy-streams`
 * works.
 */
function createCopy() {
  const [estimate, end] = [Promise.withResolvers<number>(), Promise.withResolvers<string>()]
  // Failures are also reported through `messages`, so here they must not become unhandled rejections.
  for (const { promise } of [estimate, end]) promise.catch(() => {})
  let [socket, tableCount]: [Readable | undefined, number] = [undefined, 0]
  const messages = new Readable({
    objectMode: true,
    highWaterMark: piecesAhead,
    read: () => void socket?.resume(),
  })
  let alarm: NodeJS.Timeout | undefined
  const isAlive = () => {
    clearTimeout(alarm)
    alarm = setTimeout(
      () => fail(new BackupError('The server has sent no backup data for 10 minutes.')),
      stallLimitMs,
    )
  }
  const fail = (error: Error) => {
    clearTimeout(alarm)
    estimate.reject(error)
    end.reject(error)
    messages.destroy(error)
  }
  const submittable = (text: string) => ({
    submit(connection: pg.Connection) {
      socket = connection.stream
      isAlive()
      connection.query(text)
    },
    // The first result set contains the WAL position at which the backup starts, the second has a row for each
    // tablespace, and the third contains the position at which the backup ends.
    handleRowDescription: () => void tableCount++,
    handleDataRow({ fields: [first, , kibibytes] }: { fields: (string | null)[] }) {
      if (tableCount === 2 && first !== null)
        return fail(new BackupError('This PostgreSQL server has additional tablespaces: use pg_basebackup.'))
      if (tableCount === 2) estimate.resolve(Number(kibibytes) * 1024)
      if (tableCount === 3) end.resolve(String(first))
    },
    handleCommandComplete() {},
    handleCopyData({ chunk }: { chunk: Buffer }) {
      isAlive()
      // Copy the chunk, because `pg` reuses its buffer.
      if (!messages.push(Buffer.from(chunk))) socket?.pause()
    },
    handleError: fail,
    handleReadyForQuery() {
      clearTimeout(alarm)
      messages.push(null)
    },
  })
  return { command: submittable, messages, estimatedBytes: estimate.promise, end: end.promise }
}

/**
 * Converts a stream of protocol messages to pieces of the copy. The first byte of each message identifies its
 * kind.
 */
async function* piecesOf(messages: AsyncIterable<Buffer>): AsyncIterable<Piece> {
  let of: 'archive' | 'manifest' | undefined
  for await (const message of messages) {
    const kind = String.fromCharCode(must(message[0], 'kind of a backup message'))
    if (kind === 'n' && of === undefined) of = 'archive'
    else if (kind === 'm' && of === 'archive') of = 'manifest'
    else if (kind === 'd' && of !== undefined) yield { of, bytes: message.subarray(1) }
    else if (kind === 'p') yield { of: 'progress', done: Number(message.readBigInt64BE(1)) }
    else throw new BackupError(`The server sent an unexpected backup message (${kind}).`)
  }
  if (of !== 'manifest') throw new BackupError('The server ended the backup without sending its manifest.')
}

const advice =
  'Allow this role to replicate (alter role … replication, and a line for "replication" in pg_hba.conf), or use pg_basebackup or your PostgreSQL provider’s snapshots.'

function explain(error: unknown): unknown {
  if (error instanceof BackupError) return error
  const [code, message] = [codeOf(error), messageOf(error)]
  // These codes mean that replication is not permitted or not configured, that there are too many connections, or
  // that a pooler or hosted service does not support replication.
  const isRefused = ['42501', '28000', '55000', '53300', '42601', '0A000', '08P01', '53400'].includes(code)
  return isRefused
    ? new BackupError(`This PostgreSQL server does not allow backups (${message}). ${advice}`, {
        cause: error,
      })
    : error
}
