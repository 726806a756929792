import { findIn, type Source } from './sources.ts'

/**
 * Returns names of types, interfaces and classes that several files export, because a reader could mistake one
 * for another.
 */
export function sharedTypeNames(program: Source[]): string[] {
  const declarations = program.flatMap((source) =>
    findIn(source, /^export (?:declare )?(?:abstract )?(?:type|interface|class) (\w+)/gm),
  )
  return [...Map.groupBy(declarations, ({ match }) => match[1]!)]
    .filter(([, places]) => places.length > 1)
    .map(([name, places]) => `${name}: ${places.map(({ at }) => at).join(', ')}`)
}
