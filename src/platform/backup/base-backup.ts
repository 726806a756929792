import { once } from 'node:events'
import { Readable } from 'node:stream'
import pg from 'pg'
import { codeOf, messageOf } from '../errors.ts'
import { must } from '../must.ts'

// A copy of all files of a PostgreSQL that goes on working, over its replication protocol: BASE_BACKUP, as versions 15 to 18
// have it. The same is what pg_basebackup reads; ours needs no program of PostgreSQL's.
// https://www.postgresql.org/docs/current/protocol-replication.html

/** A backup that cannot be made, or cannot be restored; the message is one line that says what to do. */
export class BackupError extends Error {
  override name = 'BackupError'
}

/** A piece of the copy, in order: first the archive of the files, then the manifest that names them. */
export type Piece = { of: 'archive' | 'manifest'; bytes: Buffer } | { of: 'progress'; done: number }

export type BaseBackup = {
  /** Distinguishes one cluster of databases from all others; a copy has the same. */
  systemId: string
  /** About how many bytes the archive will have. */
  estimatedBytes: number
  pieces: AsyncIterable<Piece>
  /** How far the copy reaches in the server's log; there when all pieces were read. */
  end: Promise<string>
}

const stallLimitMs = 600_000 // limit: time that a backup waits for the server to begin, or to go on
const piecesAhead = 32 // limit: pieces of a backup, of some 64 KiB, that are held in memory

/** Takes the copy while `work` reads it. */
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
  // A server that dies now fails the copy under way; without a listener it would end the program.
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query('IDENTIFY_SYSTEM')
    // Until this connection ends the server keeps what it writes to its log: a long copy needs all of it.
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
    // What was not read to its end is not to be waited for.
    await Promise.race([client.end(), once(client, 'end')]).catch(() => {})
  }
}

/**
 * The answer to the command, as a stream that reads from the server only as fast as it is read from itself. `pg` has no way
 * to take a copy, and hands whatever comes to an object like this one, as it does for `pg-copy-streams`.
 */
function createCopy() {
  const [estimate, end] = [Promise.withResolvers<number>(), Promise.withResolvers<string>()]
  // Whoever reads no further hears of the failure from the messages.
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
      () => fail(new BackupError('The server has sent nothing of the backup for 10 minutes.')),
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
    // The first table says where in the log it begins, the second has a line for each table space, the third where it ends.
    handleRowDescription: () => void tableCount++,
    handleDataRow({ fields: [first, , kibibytes] }: { fields: (string | null)[] }) {
      if (tableCount === 2 && first !== null)
        return fail(new BackupError('This PostgreSQL has table spaces of its own: use pg_basebackup.'))
      if (tableCount === 2) estimate.resolve(Number(kibibytes) * 1024)
      if (tableCount === 3) end.resolve(String(first))
    },
    handleCommandComplete() {},
    handleCopyData({ chunk }: { chunk: Buffer }) {
      isAlive()
      // A copy: `pg` uses its buffer again.
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

/** The pieces in a stream of messages: each begins with its kind. */
async function* piecesOf(messages: AsyncIterable<Buffer>): AsyncIterable<Piece> {
  let of: 'archive' | 'manifest' | undefined
  for await (const message of messages) {
    const kind = String.fromCharCode(must(message[0], 'kind of a message'))
    if (kind === 'n' && of === undefined) of = 'archive'
    else if (kind === 'm' && of === 'archive') of = 'manifest'
    else if (kind === 'd' && of !== undefined) yield { of, bytes: message.subarray(1) }
    else if (kind === 'p') yield { of: 'progress', done: Number(message.readBigInt64BE(1)) }
    else throw new BackupError(`The server sent a message of a backup that nobody expects here (${kind}).`)
  }
  if (of !== 'manifest') throw new BackupError('The server ended the backup without its manifest.')
}

const advice =
  'Let this role replicate (alter role … replication, and a line for "replication" in pg_hba.conf), or use pg_basebackup or the snapshots of whoever runs this PostgreSQL.'

function explain(error: unknown): unknown {
  if (error instanceof BackupError) return error
  const [code, message] = [codeOf(error), messageOf(error)]
  // Not allowed, not set up for it, too many at once, or a pooler or a service that has no replication.
  const isRefused = ['42501', '28000', '55000', '53300', '42601', '0A000', '08P01', '53400'].includes(code)
  return isRefused
    ? new BackupError(`This PostgreSQL gives no backup (${message}). ${advice}`, { cause: error })
    : error
}
