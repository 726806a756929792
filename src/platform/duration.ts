import { must } from './must.ts'

const unitMs = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000 } as const
const form = /^(?=\d)(?:(\d{1,8})d)?(?:(\d{1,8})h)?(?:(\d{1,8})m)?(?:(\d{1,8})s)?$/

/** `90s`, `10m`, `1h30m`, `2d` in milliseconds; `undefined` when the text is no duration. */
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

/** The same of a text that is one. */
export const durationMs = (text: string): number => must(parseDuration(text), `duration ${text}`)

/** In how many whole minutes a time has passed: one that has begun counts. */
export const wholeMinutes = (ms: number): number => Math.ceil(ms / unitMs.m)
