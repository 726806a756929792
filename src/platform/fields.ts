export type Fields = Record<string, unknown>

/** Whether a value of unknown make is an object, so that its fields can be read. */
const hasFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null

/** The fields of an object; of anything else, none. */
export const fieldsOf = (value: unknown): Fields => (hasFields(value) ? value : {})

/** Whether an object of ours has a field of this name. */
export const hasKey = <T extends object>(of: T, name: PropertyKey): name is keyof T => Object.hasOwn(of, name)

/** The names of an object's fields, where it has no others than its type. */
export const keysOf = <T extends object>(of: T) => Object.keys(of).filter((name) => hasKey(of, name))
