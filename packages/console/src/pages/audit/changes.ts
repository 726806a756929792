/** A detail of an audit entry: its name, its value and, if it changed, the previous value. */
export type AuditDetail = { name: string; is: string; was?: string }

type Amount = { currency: string; value: number | bigint }
type AmountText = (amount: Amount) => string
type ValuesByPath = Map<string, unknown>

/**
 * Returns the details of an audit entry: for a change, the fields whose values differ, followed by all other
 * details that are not empty.
 */
export function detailsOf(details: Record<string, unknown>, amountText: AmountText): AuditDetail[] {
  const { before, after, ...others } = details
  const isChange = isObject(before) && isObject(after)
  const [was, is] = isChange ? [valuesByPath(before), valuesByPath(after)] : [new Map(), new Map()]
  const changed = [...new Set([...was.keys(), ...is.keys()])]
    .map((name) => ({ name, was: textOf(was.get(name), amountText), is: textOf(is.get(name), amountText) }))
    .filter((change) => change.was !== change.is)
  const otherDetails = [...valuesByPath(isChange ? others : details)]
    .map(([name, value]) => ({ name, is: textOf(value, amountText) }))
    .filter((detail) => detail.is !== '')
  return [...changed, ...otherDetails]
}

/**
 * Flattens a nested object into values by path, such as `brand.name`. Amounts and lists are kept as single
 * values.
 */
function valuesByPath(value: Record<string, unknown>, at = ''): ValuesByPath {
  return new Map(
    Object.entries(value).flatMap(([name, entry]): [string, unknown][] => {
      const path = at + name
      if (!isObject(entry) || isMoney(entry)) return [[path, entry]]
      return [...valuesByPath(entry, `${path}.`)]
    }),
  )
}

function textOf(value: unknown, amountText: AmountText): string {
  if (value === undefined || value === null) return ''
  if (Array.isArray(value)) return value.map((entry) => textOf(entry, amountText)).join(', ')
  if (isMoney(value)) return amountText(value)
  return isObject(value) ? JSON.stringify(value) : String(value)
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isMoney = (value: unknown): value is Amount =>
  isObject(value) && typeof value.currency === 'string' && /^(number|bigint)$/.test(typeof value.value)
