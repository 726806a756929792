import { Zip, ZipDeflate, ZipPassThrough } from 'fflate'

/** A file of an archive, with its contents in pieces. */
export type ArchivedFile = { name: string; chunks: AsyncIterable<string | Buffer> }

/**
 * Writes a ZIP file piece by piece, so that memory does not grow with its size. All files are in one folder, and
 * have the same time. PDFs are stored as they are, because they are compressed already.
 */
export async function* writeZip(
  folder: string,
  files: AsyncIterable<ArchivedFile>,
  mtime: Date,
): AsyncGenerator<Buffer> {
  let written: Buffer[] = []
  const zip = new Zip((error, piece) => {
    if (error) throw error
    written.push(Buffer.from(piece))
  })
  function* take() {
    const pieces = written
    written = []
    yield* pieces
  }
  for await (const { name, chunks } of files) {
    const path = `${folder}/${name}`
    const file = name.endsWith('.pdf') ? new ZipPassThrough(path) : new ZipDeflate(path)
    file.mtime = mtime
    zip.add(file)
    for await (const chunk of chunks) {
      file.push(Buffer.from(chunk))
      yield* take()
    }
    file.push(new Uint8Array(), true)
    yield* take()
  }
  zip.end()
  yield* take()
}
