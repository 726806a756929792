import { readdirSync } from 'node:fs'
import path from 'node:path'

const folder = path.resolve(import.meta.dirname, '../../packages/rails')

/** Loads a file that each rail has for its tests. Returns what it exports, by the rail's name. */
export async function loadOfRails<Exports>(
  file: 'conformance' | 'fuzz' | 'secrets',
): Promise<Map<string, Exports>> {
  const rails = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const loaded = rails.map(async ({ name }) => [name, await import(`${folder}/${name}/${file}.ts`)] as const)
  return new Map(await Promise.all(loaded))
}
