export type Fields = Record<string, unknown>

/** Narrows an unknown value to an object whose fields can be read. */
export const hasFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null

/** Returns the value as an object whose fields can be read, or `{}` if it is not an object. */
export const fieldsOf = (value: unknown): Fields => (hasFields(value) ? value : {})

/** Returns whether an object has a field with this name. The object must have been created by our own code. */
export const hasKey = <T extends object>(of: T, name: PropertyKey): name is keyof T => Object.hasOwn(of, name)

/** Returns the keys of an object, typed as the keys of its type. The object must have no others. */
export const keysOf = <T extends object>(of: T) => Object.keys(of).filter((name) => hasKey(of, name))
