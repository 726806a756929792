import path from 'node:path'
import { foldersInOrder } from '../../scripts/documents/architecture.ts'
import { importsOf, type Source } from './sources.ts'

/** A folder of src/ imports itself and earlier ones; the files directly in src/, which wire, all but the commands. */
export const folderOrder = foldersInOrder().toSpliced(-1, 0, 'wiring')

/** Every import of a folder that comes later in the order, and every file that has no place in it. */
export function importsOfLaterFolders(program: Source[]): string[] {
  return program.flatMap((source) => {
    const rank = rankOf(source.path)
    if (rank === undefined) return [`${source.path}:1 stands in a folder that has no place in the order`]
    return importsOf(source)
      .filter(({ file }) => file !== undefined && (rankOf(file) ?? Number.POSITIVE_INFINITY) > rank)
      .map(({ at, specifier }) => `${at} imports ${specifier}, which comes later`)
  })
}

/** Every import of another slice's store. */
export function importsOfForeignStores(program: Source[]): string[] {
  return program.flatMap((source) =>
    importsOf(source)
      .filter(({ file }) => file && /(^|-)store\.ts$/.test(path.basename(file)))
      .filter(({ file }) => sliceOf(file!) !== sliceOf(source.path))
      .map(({ at, specifier }) => `${at} imports ${specifier}, which is private to its slice`),
  )
}

/** A later folder has a higher rank. */
function rankOf(file: string): number | undefined {
  if (file === 'src/main.ts') return folderOrder.length
  const rank = folderOrder.indexOf(sliceOf(file) ?? '')
  return rank < 0 ? undefined : rank
}

/** The folder of src/ that a file stands in, however deep. */
export function sliceOf(file: string): string | undefined {
  const [top, folder, ...rest] = file.split('/')
  if (top !== 'src') return undefined
  return rest.length === 0 ? 'wiring' : folder
}
