import { findIn, type Source } from './sources.ts'

/**
 * Returns each place where code that handles money rounds or parses floating-point numbers, and each place
 * where an amount is converted to a number.
 */
export function floatingPointMoney(program: Source[]): string[] {
  const rounding = /\b(?:parseFloat|Math\.(?:round|floor|ceil|trunc))\(|\.to(?:Fixed|Precision)\(/g
  const narrowing = /\bNumber\([^()\n]*(?:amount|balance|posted|held|fee|total|minor|price)[^()\n]*\)/gi
  const money = program.filter(
    ({ path }) =>
      /^packages\/server\/src\/(?!platform\/|tenants\/(?:spaces|team)\/|events\/|cli\/)[^/]+\//.test(path) &&
      !/\/verify\.ts$/.test(path),
  )
  return [
    ...money.flatMap((source) => findIn(source, rounding)),
    ...program.flatMap((source) => findIn(source, narrowing)),
  ].map(({ at, match }) => `${at} ${match[0]}`)
}
