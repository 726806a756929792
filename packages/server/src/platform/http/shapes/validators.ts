import type { TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'

const validators = new WeakMap<TSchema, Validator>()

/**
 * Returns the validator of a shape. Compiling takes milliseconds, so it is done on first use, and once for all
 * routes that share the shape.
 */
export function validatorOf(shape: TSchema): Validator {
  const known = validators.get(shape)
  if (known) return known
  const validator = Compile(shape)
  validators.set(shape, validator)
  return validator
}
