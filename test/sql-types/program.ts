import path from 'node:path'
import {
  isCallExpression,
  isIdentifier,
  isPropertyAccessExpression,
  type Node,
  type TypeNode,
} from 'typescript/unstable/ast'
import { API, type Checker, type Symbol as Named, type Project, SymbolFlags } from 'typescript/unstable/sync'
import { root } from '../tidy/sources.ts'

/** A call of `query`, `one` or `only` that declares the type of its rows, and its statement. */
export type Read = { file: string; line: number; row: TypeNode; statement: Node }

/** The program as TypeScript sees it. The API is marked unstable; the version is pinned. */
export type Program = {
  checker: Checker
  reads: Read[]
  /** Returns the declaration of an identifier, following imports. */
  declarationOf(name: Node): Node | undefined
  /** The same for `name` in `{ name }`. */
  valueDeclarationOf(shorthand: Node): Node | undefined
  callsOf(name: string): { args: readonly Node[]; callee: Node }[]
  close(): void
}

/** @param isRead whether to include a file's calls */
export function openProgram(isRead: (file: string) => boolean): Program {
  const api = new API({ cwd: root })
  const project = api.updateSnapshot({ openProjects: [path.join(root, 'tsconfig.json')] }).getProjects()[0]!
  const { program, checker } = project
  const reads: Read[] = []
  const calls: { args: readonly Node[]; callee: Node; name: string }[] = []
  for (const file of program.getSourceFileNames()) {
    const name = path.relative(root, file)
    if (!isRead(name)) continue
    const source = program.getSourceFile(file)!
    const visit = (node: Node): void => {
      if (isCallExpression(node)) {
        const { expression: callee, arguments: args, typeArguments } = node
        if (isIdentifier(callee)) calls.push({ args, callee, name: callee.text })
        else if (isPropertyAccessExpression(callee) && /^(?:query|one|only)$/.test(callee.name.text)) {
          const line = source.text.slice(0, callee.name.end).split('\n').length
          if (typeArguments?.[0]) reads.push({ file: name, line, row: typeArguments[0], statement: args[0]! })
        }
      }
      node.forEachChild(visit)
    }
    visit(source)
  }
  return {
    checker,
    reads,
    declarationOf: (name) => declarationIn(project, checker.getSymbolAtLocation(name)),
    valueDeclarationOf: (shorthand) =>
      declarationIn(project, checker.getShorthandAssignmentValueSymbol(shorthand)),
    callsOf: (name) => calls.filter((call) => call.name === name),
    close: () => api.close(),
  }
}

function declarationIn(project: Project, symbol: Named | undefined): Node | undefined {
  const named = symbol && symbol.flags & SymbolFlags.Alias ? project.checker.getAliasedSymbol(symbol) : symbol
  return (named?.valueDeclaration ?? named?.declarations?.[0])?.resolve(project)
}
