import { fieldsOf } from './fields.ts'

/** Returns the SQLSTATE or system code of an error, or `''` if it has none. */
export const codeOf = (error: unknown): string => String(fieldsOf(error).code ?? '')

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
