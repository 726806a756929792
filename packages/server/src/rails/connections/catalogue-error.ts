/**
 * Thrown if the catalogue is invalid. The message is a single line that identifies the file, the entry and the
 * field.
 */
export class CatalogueError extends Error {
  override name = 'CatalogueError'
}
