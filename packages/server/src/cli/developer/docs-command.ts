import { SiteFilesError, writeSiteFiles } from '@pesewa/docs'
import { CommandError } from '../command.ts'

export type DocsOptions = { out: string; baseUrl?: string }

/** `pesewa docs build`: writes the documentation as files, without a database. */
export async function buildDocs({ out: folder, baseUrl }: DocsOptions) {
  const { describeApi } = await import('../../app.ts')
  const pages = await writeSiteFiles({ openApi: await describeApi(), folder, baseUrl }).catch(
    (error: unknown) => {
      throw error instanceof SiteFilesError ? new CommandError(error.message) : error
    },
  )
  return { folder, pages }
}
