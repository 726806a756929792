import path from 'node:path'
import {
  isArrayLiteralExpression,
  isArrowFunction,
  isAsExpression,
  isBindingElement,
  isBlock,
  isCallExpression,
  isConditionalExpression,
  isElementAccessExpression,
  isFunctionDeclaration,
  isIdentifier,
  isIfStatement,
  isNewExpression,
  isNonNullExpression,
  isNoSubstitutionTemplateLiteral,
  isNumericLiteral,
  isObjectBindingPattern,
  isObjectLiteralExpression,
  isParameterDeclaration,
  isParenthesizedExpression,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isReturnStatement,
  isSatisfiesExpression,
  isShorthandPropertyAssignment,
  isSpreadAssignment,
  isSpreadElement,
  isStringLiteral,
  isTaggedTemplateExpression,
  isTemplateExpression,
  isVariableDeclaration,
  type Node,
} from 'typescript/unstable/ast'
import { TypeFlags } from 'typescript/unstable/sync'
import * as columns from '../../packages/server/src/platform/db/columns.ts'
import * as scopedRows from '../../packages/server/src/platform/db/scoped.ts'
import * as statements from '../../packages/server/src/platform/db/sql.ts'
import * as tables from '../../packages/server/src/platform/db/table.ts'
import * as unnests from '../../packages/server/src/platform/db/unnest.ts'
import { root } from '../tidy/sources.ts'
import { partsOf } from './compare.ts'
import type { Program } from './program.ts'

// Reads the text of a statement from its source, without running the program: from constants, functions that
// return pieces of SQL, and described tables. Input becomes a parameter; if input chooses between two pieces of
// SQL, both are read.

const { Sql, sql } = statements

/** A value that is known only at run time. */
const unknown: unique symbol = Symbol('unknown')
type Bound = Map<Node, unknown>
type Callable = (...args: unknown[]) => unknown

/** Functions that are called; all other code is only read. */
const real: Record<string, Record<string, unknown>> = {
  'packages/server/src/platform/db/columns.ts': columns,
  'packages/server/src/platform/db/scoped.ts': scopedRows,
  'packages/server/src/platform/db/sql.ts': statements,
  'packages/server/src/platform/db/table.ts': tables,
  'packages/server/src/platform/db/unnest.ts': unnests,
}

/**
 * Returns the texts that a statement can have: with the first of two alternatives everywhere, and with the second.
 *
 * @throws if a piece of SQL cannot be read
 */
export function textsOf(program: Program, statement: Node): string[] {
  const texts = [true, false].flatMap((isFirst) => {
    const value = createReader(program, isFirst)(statement, new Map())
    return value instanceof Sql ? [value.text] : typeof value === 'string' ? [value] : []
  })
  return [...new Set(texts)]
}

/** Replaces rows with an empty list: they are unknown, and do not affect the text. */
const withoutRows = (argument: unknown) =>
  argument === unknown ||
  (Array.isArray(argument) && argument.some((each) => typeof each === 'object' && !(each instanceof Sql)))
    ? []
    : argument

function createReader({ checker, declarationOf, valueDeclarationOf, callsOf }: Program, isFirst: boolean) {
  const readFunctions = new WeakSet<object>()
  const isSql = (node: Node): boolean => {
    const type = checker.getTypeAtLocation(node)
    const types = type ? partsOf(type).filter(({ flags }) => !(flags & TypeFlags.Undefined)) : []
    return types.length > 0 && types.every((each) => each.getSymbol()?.name === 'Sql')
  }
  let depth = 0

  function read(node: Node, bound: Bound): unknown {
    if (++depth > 200) throw new Error('circular reference')
    try {
      const value = compute(node, bound)
      if (value === unknown && isSql(node)) throw new Error(`cannot read ${node.getText().slice(0, 80)}`)
      return value
    } finally {
      depth--
    }
  }

  function compute(node: Node, bound: Bound): unknown {
    if (
      isParenthesizedExpression(node) ||
      isAsExpression(node) ||
      isSatisfiesExpression(node) ||
      isNonNullExpression(node)
    )
      return read(node.expression, bound)
    if (isStringLiteral(node) || isNoSubstitutionTemplateLiteral(node)) return node.text
    if (isNumericLiteral(node)) return Number(node.text)
    if (isTaggedTemplateExpression(node)) return templateOf(node.template, bound)
    if (isTemplateExpression(node)) {
      const values = node.templateSpans.map((span) => read(span.expression, bound))
      if (values.includes(unknown)) return unknown
      return node.head.text + node.templateSpans.map((span, i) => `${values[i]}${span.literal.text}`).join('')
    }
    if (isConditionalExpression(node)) return choiceOf([node.whenTrue, node.whenFalse], bound)
    if (isArrayLiteralExpression(node))
      return node.elements.flatMap((element) => {
        if (!isSpreadElement(element)) return [read(element, bound)]
        const inner = read(element.expression, bound)
        return Array.isArray(inner) ? inner : []
      })
    if (isObjectLiteralExpression(node)) {
      const object: Record<string, unknown> = {}
      for (const property of node.properties) {
        if (isPropertyAssignment(property))
          object[property.name.getText().replaceAll("'", '')] = read(property.initializer, bound)
        else if (isShorthandPropertyAssignment(property))
          object[property.name.getText()] = readDeclared(valueDeclarationOf(property), property.name, bound)
        else if (isSpreadAssignment(property)) Object.assign(object, read(property.expression, bound))
      }
      return object
    }
    if (isIdentifier(node)) return node.text === 'undefined' ? undefined : readName(node, bound)
    if (isPropertyAccessExpression(node)) {
      const object = read(node.expression, bound)
      if (object === unknown || object === undefined || object === null) return unknown
      const inner = (object as Record<string, unknown>)[node.name.text]
      return typeof inner === 'function' ? (...args: unknown[]) => inner.apply(object, args) : inner
    }
    if (isElementAccessExpression(node)) {
      const object = read(node.expression, bound)
      const key = read(node.argumentExpression, bound)
      if (typeof object !== 'object' || object === null) return unknown
      if (typeof key === 'string') return (object as Record<string, unknown>)[key]
      return Object.values(object).at(isFirst ? 0 : -1) ?? unknown
    }
    if (isNewExpression(node)) {
      const [text] = node.arguments ?? []
      const value = text && node.expression.getText() === 'Sql' ? read(text, bound) : unknown
      return typeof value === 'string' ? new Sql(value, []) : unknown
    }
    if (isCallExpression(node)) {
      const called = read(node.expression, bound)
      if (typeof called !== 'function') return unknown
      const args = node.arguments.map((argument) => read(argument, bound))
      return (called as Callable)(...(readFunctions.has(called) ? args : args.map(withoutRows)))
    }
    if (isArrowFunction(node) || isFunctionDeclaration(node)) return functionOf(node, bound)
    return unknown
  }

  function templateOf(template: Node, bound: Bound): unknown {
    if (!isTemplateExpression(template)) return sql(Object.assign([textOf(template)], { raw: [] }))
    const pieces = [template.head.text, ...template.templateSpans.map(({ literal }) => literal.text)]
    const values = template.templateSpans.map(({ expression }) => read(expression, bound))
    return sql(Object.assign(pieces, { raw: [] }), ...values)
  }

  const textOf = (node: Node) => (isNoSubstitutionTemplateLiteral(node) ? node.text : '')

  /** Reads the first or the second alternative, or else the one that can be read. */
  function choiceOf(alternatives: Node[], bound: Bound): unknown {
    const [wanted, other] = isFirst ? alternatives : alternatives.toReversed()
    try {
      const value = read(wanted!, bound)
      return value === unknown || value === undefined ? read(other!, bound) : value
    } catch {
      return read(other!, bound)
    }
  }

  function functionOf(node: Node, bound: Bound): Callable {
    const called: Callable = (...args) => {
      if (!isArrowFunction(node) && !isFunctionDeclaration(node)) return unknown
      const inner: Bound = new Map(bound)
      node.parameters.forEach((parameter, i) => {
        bind(parameter, i < args.length ? args[i] : undefined, inner)
      })
      if (!node.body) return unknown
      return isBlock(node.body) ? returned(node.body.statements, inner) : read(node.body, inner)
    }
    readFunctions.add(called)
    return called
  }

  /** Binds a parameter, or an element of a pattern, to its value or default. */
  function bind(node: Node, value: unknown, bound: Bound): void {
    if (!isParameterDeclaration(node) && !isBindingElement(node)) return
    const given = value === undefined && node.initializer ? read(node.initializer, bound) : value
    bound.set(node, given)
    if (node.name && isObjectBindingPattern(node.name))
      for (const element of node.name.elements) {
        const key = (element.propertyName ?? element.name)?.getText() ?? ''
        const isKnown = given !== unknown && typeof given === 'object' && given !== null && key in given
        bind(element, isKnown ? (given as Record<string, unknown>)[key] : unknown, bound)
      }
  }

  function returned(body: readonly Node[], bound: Bound): unknown {
    for (const statement of body) {
      if (isReturnStatement(statement))
        return statement.expression ? read(statement.expression, bound) : undefined
      if (isIfStatement(statement) && isFirst) {
        const branch = statement.thenStatement
        const value = returned(isBlock(branch) ? branch.statements : [branch], bound)
        if (value !== unknown && value !== undefined) return value
      }
    }
    return unknown
  }

  const readName = (name: Node, bound: Bound) => readDeclared(declarationOf(name), name, bound)

  function readDeclared(declaration: Node | undefined, name: Node, bound: Bound): unknown {
    if (!declaration) return unknown
    if (bound.has(declaration)) return bound.get(declaration)
    const file = path.relative(root, declaration.getSourceFile().fileName)
    if (real[file] && isIdentifier(name) && name.text in real[file]) return real[file][name.text]
    if (isFunctionDeclaration(declaration)) return functionOf(declaration, new Map())
    if (isVariableDeclaration(declaration) && declaration.initializer)
      return read(declaration.initializer, bound)
    if (isParameterDeclaration(declaration) || isBindingElement(declaration))
      return isSql(name) ? passedTo(declaration) : unknown
    return unknown
  }

  /** Returns the argument that the first or the last caller passes for a parameter. */
  function passedTo(declaration: Node): unknown {
    let parameter = declaration
    while (!isParameterDeclaration(parameter)) parameter = parameter.parent
    const owner = parameter.parent
    const named = isFunctionDeclaration(owner)
      ? owner
      : isVariableDeclaration(owner.parent)
        ? owner.parent
        : undefined
    if (
      !named?.name ||
      !isIdentifier(named.name) ||
      !(isFunctionDeclaration(owner) || isArrowFunction(owner))
    )
      return unknown
    const place = owner.parameters.indexOf(parameter)
    const calls = callsOf(named.name.text).filter(({ callee }) => declarationOf(callee) === named)
    for (const { args } of isFirst ? calls : calls.toReversed()) {
      const inner: Bound = new Map()
      try {
        bind(parameter, args[place] ? read(args[place], inner) : undefined, inner)
      } catch {
        continue
      }
      if (inner.get(declaration) !== unknown) return inner.get(declaration)
    }
    return unknown
  }

  return read
}
