/**
 * Removes the unknown values that the SDK's enumerations allow for later versions of the service. The console
 * always has the same version as the service.
 */
export type Exact<T> = [Extract<Known<T>, string>] extends [never] ? Inside<T> : Inside<Known<T>>

type Known<T> = T extends string ? (string extends T ? never : T) : T
type Inside<T> = T extends readonly (infer Entry)[]
  ? Exact<Entry>[]
  : T extends object
    ? { [Member in keyof T]: Exact<T[Member]> }
    : T
