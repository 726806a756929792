import { builtinModules } from 'node:module'
import { importsOf, type Source } from './sources.ts'

type Versions = Record<string, string>
type Manifest = { dependencies?: Versions; devDependencies?: Versions; optionalDependencies?: Versions }

/**
 * Returns packages that are not pinned exactly, and imports of packages that are not in package.json or, in
 * shipped code, not among the runtime dependencies. `file` is the path of the package.json.
 */
export function packageIssues(sources: Source[], manifest: Manifest, file = 'package.json'): string[] {
  const runtime: Versions = { ...manifest.dependencies, ...manifest.optionalDependencies }
  const all: Versions = { ...runtime, ...manifest.devDependencies }
  const loose = Object.entries(all).filter(
    ([, version]) => !/^(?:npm:[\w@/-]+@)?\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version),
  )
  const unknown = sources.flatMap((source) =>
    importsOf(source)
      .filter(({ file, specifier }) => !file && !isBuiltin(specifier))
      .filter(({ specifier }) => !(isShipped(source) ? runtime : all)[packageOf(specifier)])
      .map(({ at, specifier }) => `${at} imports ${specifier}`),
  )
  return [...loose.map(([name, version]) => `${file}:1 ${name} is ${version}`), ...unknown]
}

const isBuiltin = (specifier: string) => specifier.startsWith('node:') || builtinModules.includes(specifier)
const packageOf = (specifier: string) => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
const isShipped = ({ path, isTest }: Source) => /^packages\//.test(path) && !isTest
