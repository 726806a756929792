/** The catalogue cannot be used; the message is one line that names file, entry and field. */
export class CatalogueError extends Error {
  override name = 'CatalogueError'
}
