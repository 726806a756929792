import { parseMoney } from '../text/money.ts'
import { parsePhone } from '../text/phones.ts'
import type { Words } from '../text/words.ts'

/** Reads the values of a form without surrounding spaces, and records the fields that are invalid. */
export type FormReader = ReturnType<typeof readForm>

export function readForm(fields: FormData, country: string, t: Words) {
  /** Messages for invalid fields, by field name. */
  const issues: Record<string, string> = {}
  const refuse = (name: string, issue: string) => {
    issues[name] = issue
  }
  const text = (name: string) => String(fields.get(name) ?? '').trim()
  const amount = (name: string, currency: string) => {
    const value = parseMoney(text(name), currency)
    if (value === undefined) refuse(name, t.notAnAmount)
    return { currency, value: value ?? 0 }
  }
  return {
    issues,
    refuse,
    text,
    amount,
    textOrNull: (name: string) => text(name) || null,
    has: (name: string) => fields.has(name),
    all: (name: string) => fields.getAll(name).map(String),
    /** Returns a value as it is: a chosen file, or text with its spaces. */
    raw: (name: string) => fields.get(name),
    /** Splits a list at its commas. */
    list: (name: string) =>
      text(name)
        .split(',')
        .map((each) => each.trim())
        .filter(Boolean),
    // Safe: the form offers only valid options.
    choice: <Value extends string>(name: string) => text(name) as Value,
    amountOrNull: (name: string, currency: string) => (text(name) ? amount(name, currency) : null),
    /** Reads a whole number of 1 or more, or null if the field is empty. */
    countOrNull(name: string) {
      if (!text(name)) return null
      if (!/^0*[1-9]\d{0,6}$/.test(text(name))) refuse(name, t.notACount)
      return Number(text(name))
    },
    /** Reads a phone number. `issue` is the message if it is invalid. */
    phone(name: string, issue = t.notAPhone) {
      const phone = parsePhone(text(name), country)
      if (!phone) refuse(name, issue)
      return phone ?? ''
    },
    /** Reads a local date and time as a timestamp, or undefined if the field is empty. */
    time: (name: string) => (text(name) ? new Date(text(name)).toISOString() : undefined),
    /** Reads the reason that was entered in `ReasonField`, as part of a request. */
    reason: () => ({ reason: text('reason') }),
  }
}
