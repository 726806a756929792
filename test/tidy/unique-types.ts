import { findIn, type Source } from './sources.ts'

/** Types, interfaces and classes of one name that several files export: a reader could take one for another. */
export function sharedTypeNames(program: Source[]): string[] {
  const declarations = program.flatMap((source) =>
    findIn(source, /^export (?:declare )?(?:abstract )?(?:type|interface|class) (\w+)/gm),
  )
  return [...Map.groupBy(declarations, ({ match }) => match[1]!)]
    .filter(([, places]) => places.length > 1)
    .map(([name, places]) => `${name}: ${places.map(({ at }) => at).join(', ')}`)
}
