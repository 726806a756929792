import { useRef, useState } from 'preact/hooks'
import { AmountField, TextField } from '../../parts/form.tsx'
import { parseMoney } from '../../text/format.tsx'
import { useTexts } from './texts.ts'

/** A line item whose fields contain the text that the user typed. */
export type Item = { key: number; name: string; price: string; quantity: string }

const maxItems = 16
const maxQuantity = 100_000

/** Keeps the form's line items in state. Returns them with functions to add, remove and change items. */
export function useItems() {
  const [items, setItems] = useState<Item[]>([{ key: 0, name: '', price: '', quantity: '1' }])
  const lastKey = useRef(0)
  return {
    items,
    add: () => {
      lastKey.current += 1
      setItems([...items, { key: lastKey.current, name: '', price: '', quantity: '1' }])
    },
    remove: (key: number) => setItems(items.filter((item) => item.key !== key)),
    change: (key: number, change: Partial<Item>) =>
      setItems(items.map((item) => (item.key === key ? { ...item, ...change } : item))),
  }
}

/** Returns the item's quantity, and its price in minor units. Each is `undefined` if the input is invalid. */
function readItem({ price, quantity }: Item, currency: string) {
  const units = /^\d{1,6}$/.test(quantity.trim()) ? Number(quantity) : 0
  return {
    value: parseMoney(price, currency),
    quantity: units >= 1 && units <= maxQuantity ? units : undefined,
  }
}

/**
 * Returns the line items to send to the API, or `undefined` if any of them is invalid. An item without a name
 * gets the name of the checkout page.
 */
export function lineItemsFor(items: Item[], currency: string, linkName: string) {
  const lines = items.flatMap((item) => {
    const { value, quantity } = readItem(item, currency)
    if (value === undefined || quantity === undefined) return []
    return [{ name: item.name.trim() || linkName, price: { currency, value }, quantity }]
  })
  return lines.length === items.length ? lines : undefined
}

/** Returns the total in minor units, or `undefined` if any item is invalid or the total is too large. */
export function totalOf(items: Item[], currency: string): number | undefined {
  const lines = lineItemsFor(items, currency, '')
  const total = lines?.reduce((sum, { price, quantity }) => sum + price.value * quantity, 0)
  return Number.isSafeInteger(total) ? total : undefined
}

type Props = ReturnType<typeof useItems> & {
  currency: string
  /** Whether to show errors. It becomes true after the first attempt to submit. */
  showsIssues: boolean
}

export function ItemFields({ items, add, remove, change, currency, showsIssues }: Props) {
  const t = useTexts()
  return (
    <fieldset>
      <legend>{t.items}</legend>
      {items.map((item, i) => {
        const read = readItem(item, currency)
        const at = `lineItems[${i}]`
        return (
          <fieldset class="item" key={item.key}>
            <legend class="unseen">{t.item(i + 1)}</legend>
            {items.length > 1 && (
              <TextField
                name={`${at}.name`}
                label={t.itemName}
                max={100}
                isRequired
                initial={item.name}
                onType={(name) => change(item.key, { name })}
              />
            )}
            <AmountField
              name={`${at}.price.value`}
              label={t.priceIn(currency)}
              issue={showsIssues && read.value === undefined ? t.notAnAmount : undefined}
              isRequired
              initial={item.price}
              onType={(price) => change(item.key, { price })}
            />
            <TextField
              name={`${at}.quantity`}
              label={t.quantity}
              issue={showsIssues && read.quantity === undefined ? t.notAQuantity : undefined}
              max={6}
              inputMode="numeric"
              isRequired
              initial={item.quantity}
              onType={(quantity) => change(item.key, { quantity })}
            />
            {items.length > 1 && (
              <button type="button" class="quiet" onClick={() => remove(item.key)}>
                {t.removeItem(i + 1)}
              </button>
            )}
          </fieldset>
        )
      })}
      {items.length < maxItems && (
        <button type="button" class="quiet" onClick={add}>
          {t.addItem}
        </button>
      )}
    </fieldset>
  )
}
