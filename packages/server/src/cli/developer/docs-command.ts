import { SiteFilesError, writeSiteFiles } from '@pesewa/docs'
import { CommandError } from '../command.ts'
import { toJson } from '../output/describe.ts'
import { whileWaiting } from '../output/waiting.ts'

type DocsOptions = { out: string; baseUrl?: string; json?: boolean }

/** `pesewa docs build`: writes the documentation as files, without a database. */
export async function buildDocs({ out, baseUrl, json }: DocsOptions): Promise<void> {
  const written = whileWaiting(async () => {
    const { describeApi } = await import('../../app.ts')
    return writeSiteFiles({ openApi: await describeApi(), folder: out, baseUrl })
  })
  const pages = await written.catch((error: unknown) => {
    throw error instanceof SiteFilesError ? new CommandError(error.message) : error
  })
  process.stdout.write(
    json ? `${toJson({ folder: out, pages })}\n` : `Wrote ${pages} pages to ${out}. Start with index.html.\n`,
  )
}
