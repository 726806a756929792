import { InvalidArgumentError } from 'commander'
import { type IdKind, readId, showId } from '../platform/ids.ts'

/** An id as people have it, in its inner form. */
export const idArgument = (kind: IdKind) => (text: string) => {
  const id = readId(kind, text)
  if (!id)
    throw new InvalidArgumentError(
      `"${text}" is not an id like ${showId(kind, '00000000-0000-0000-0000-000000000000').slice(0, 4)}….`,
    )
  return id
}
