import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { AnswerTooLarge, createPeer, NoAnswer } from '@pesewa/connector-kit'
import { causeMessage } from '@pesewa/values'
import { request } from 'undici'

const maxFileBytes = 512 * 1024 * 1024
const timeoutMs = 10 * 60_000

/**
 * Downloads from a URL to a file, and returns the size of the file in bytes. The URL must come from the
 * operator's settings. Follows no redirects, sends no credentials and decompresses nothing. The file appears
 * only once it is complete.
 * @throws NoAnswer if the download is incomplete, with a message that reveals nothing about the URL
 */
export async function download(
  url: string,
  file: string,
  limits = { timeoutMs, maxBytes: maxFileBytes },
): Promise<number> {
  const peer = createPeer(1)
  const partial = `${file}.part`
  try {
    const signal = AbortSignal.timeout(limits.timeoutMs)
    const { statusCode, body } = await request(url, { dispatcher: peer, method: 'GET', signal })
    if (statusCode !== 200) throw new NoAnswer(`status ${statusCode}`)
    const counted = countUpTo(limits.maxBytes)
    // The file can be read only by its owner, because it contains payers' phone numbers.
    await pipeline(body, counted.through, createWriteStream(partial, { mode: 0o600 }), { signal })
    await rename(partial, file)
    return counted.bytes()
  } catch (error) {
    await rm(partial, { force: true })
    if (error instanceof NoAnswer) throw error
    const cause = causeMessage(error)
    // Errors from the file system are passed on to the caller.
    if (cause === undefined && isOfFiles(error)) throw error
    throw new NoAnswer(cause ?? 'no response', { cause: error })
  } finally {
    await peer.destroy()
  }
}

const isOfFiles = (error: unknown) => error instanceof Error && 'path' in error

function countUpTo(maxBytes: number) {
  let bytes = 0
  const through = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      if (bytes > maxBytes) done(new AnswerTooLarge())
      else done(null, chunk)
    },
  })
  return { through, bytes: () => bytes }
}
