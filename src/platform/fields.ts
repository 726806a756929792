export type Fields = Record<string, unknown>

/** Whether a value of unknown make is an object, so that its fields can be read. */
const hasFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null

/** The fields of an object; of anything else, none. */
export const fieldsOf = (value: unknown): Fields => (hasFields(value) ? value : {})
