import type { Node } from 'typescript/unstable/ast'
import {
  type Checker,
  type Symbol as Named,
  SymbolFlags,
  type Type,
  TypeFlags,
  type UnionOrIntersectionType,
  type UnionType,
} from 'typescript/unstable/sync'
import type { ResultColumn } from './describe.ts'

/** A column as the program declares it. */
export type DeclaredColumn = { name: string; type: Type; isOptional: boolean; isNullable: boolean }

const nothing = TypeFlags.Null | TypeFlags.Undefined

/** Returns the types of a union, or any other type itself. */
export const partsOf = (type: Type): readonly Type[] =>
  type.flags & TypeFlags.Union ? (type as UnionType).getTypes() : [type]

/** Returns the columns of a declared row; `undefined` if their names are unknown (`Row`, a type parameter). */
export function declaredColumns(checker: Checker, row: Node): DeclaredColumn[] | undefined {
  const type = checker.getTypeFromTypeNode(row as never)
  if (!type || isGeneric(type) || checker.getIndexInfosOfType(type).length > 0) return undefined
  const properties = checker.getPropertiesOfType(type)
  return properties.length === 0 ? undefined : properties.map((property) => declaredColumn(checker, property))
}

const isGeneric = (type: Type): boolean =>
  (type.flags & TypeFlags.TypeParameter) !== 0 ||
  ((type.flags & TypeFlags.UnionOrIntersection) !== 0 &&
    (type as UnionOrIntersectionType).getTypes().some(isGeneric))

function declaredColumn(checker: Checker, property: Named): DeclaredColumn {
  const type = checker.getTypeOfSymbol(property)!
  const parts = partsOf(type)
  const isAny = (type.flags & (TypeFlags.Unknown | TypeFlags.Any)) !== 0
  return {
    name: property.name,
    type: checker.getNonNullableType(type) ?? type,
    isOptional: (property.flags & SymbolFlags.Optional) !== 0,
    isNullable: isAny || parts.some(({ flags }) => (flags & nothing) !== 0),
  }
}

/** Returns the differences between a declared row and the columns that PostgreSQL describes. */
export function differences(checker: Checker, declared: DeclaredColumn[], columns: ResultColumn[]): string[] {
  const described = new Map(columns.map((column) => [camelCase(column.name), column]))
  return declared.flatMap(({ name, type, isOptional, isNullable }) => {
    const column = described.get(name)
    if (!column) return isOptional ? [] : [`${name} is not selected`]
    const text = checker.typeToString(type)
    return [
      ...(isOfType(checker, type, column) ? [] : [`${name} is ${column.type}, not ${text}`]),
      ...(column.isNullable && !isNullable ? [`${name} can be null`] : []),
    ]
  })
}

const camelCase = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

const numbers = new Set(['smallint', 'integer', 'real', 'double precision', 'oid'])
const times = new Set(['timestamp with time zone', 'timestamp without time zone', 'date'])

/** Whether the driver returns values of the declared type; JSON can have any type. */
function isOfType(checker: Checker, declared: Type, { type }: Pick<ResultColumn, 'type'>): boolean {
  if (declared.flags & (TypeFlags.Unknown | TypeFlags.Any) || /^jsonb?$/.test(type)) return true
  if (type.endsWith('[]')) {
    const element = checker.isArrayType(declared) ? checker.getTypeArguments(declared as never)[0] : undefined
    return (
      element !== undefined &&
      isOfType(checker, checker.getNonNullableType(element)!, { type: type.slice(0, -2) })
    )
  }
  if (times.has(type)) return declared.getSymbol?.()?.name === 'Date'
  if (type === 'bytea') return /^(?:Buffer|Uint8Array)$/.test(declared.getSymbol?.()?.name ?? '')
  const wanted =
    type === 'bigint'
      ? checker.getBigIntType()
      : type === 'boolean'
        ? checker.getBooleanType()
        : numbers.has(type)
          ? checker.getNumberType()
          : checker.getStringType()
  return checker.isTypeAssignableTo(declared, wanted)
}
