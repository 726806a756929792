/** The catalogue is invalid; the message is one line that names the file, entry and field. */
export class CatalogueError extends Error {
  override name = 'CatalogueError'
}
