import { must } from '@pesewa/values'

const unitMs = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000 } as const
const form = /^(?=\d)(?:(\d{1,8})d)?(?:(\d{1,8})h)?(?:(\d{1,8})m)?(?:(\d{1,8})s)?$/

/**
 * Parses a duration such as `90s`, `10m`, `1h30m` or `2d` and returns it in milliseconds, or `undefined` if it
 * is invalid.
 */
export function parseDuration(text: string): number | undefined {
  const parts = form.exec(text)
  if (!parts) return undefined
  const [, d, h, m, s] = parts
  return (
    Number(d ?? 0) * unitMs.d +
    Number(h ?? 0) * unitMs.h +
    Number(m ?? 0) * unitMs.m +
    Number(s ?? 0) * unitMs.s
  )
}

/** Parses a duration that is known to be valid, and returns it in milliseconds. */
export const durationMs = (text: string): number => must(parseDuration(text), `valid duration in ${text}`)

/** Converts milliseconds to whole seconds, rounding up. */
export const wholeSeconds = (ms: number): number => Math.ceil(ms / unitMs.s)

/** Converts milliseconds to whole minutes, rounding up. */
export const wholeMinutes = (ms: number): number => Math.ceil(ms / unitMs.m)
