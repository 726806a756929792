import { SiteFilesError, writeSiteFiles } from '../../docs/site-files.ts'
import { CommandError } from '../command.ts'

/** `pesewa docs build`: the documents as files, without a database. */
export async function buildDocs({ out, baseUrl }: { out: string; baseUrl?: string }): Promise<void> {
  const pages = await writeSiteFiles({ folder: out, baseUrl }).catch((error: unknown) => {
    throw error instanceof SiteFilesError ? new CommandError(error.message) : error
  })
  process.stdout.write(`${pages} pages are in ${out}: begin with index.html.\n`)
}
