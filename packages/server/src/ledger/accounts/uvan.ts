import { randomInt } from 'node:crypto'

/** Returns a universal virtual account number: 15 random digits and a Luhn check digit. */
export function newUvan(): string {
  const digits = `${randomInt(1, 10)}${Array.from({ length: 14 }, () => randomInt(10)).join('')}`
  return digits + luhnDigit(digits)
}

/** Returns the digit that must be appended to `digits` for them to pass the Luhn check. */
export function luhnDigit(digits: string): string {
  const sum = [...digits].reverse().reduce((total, digit, i) => {
    const doubled = Number(digit) * (i % 2 === 0 ? 2 : 1)
    return total + (doubled > 9 ? doubled - 9 : doubled)
  }, 0)
  return String((10 - (sum % 10)) % 10)
}
