import { must } from '@pesewa/values'
import { type Dice, rollDice } from './random.ts'
import {
  type Customer,
  classLink,
  counterAmounts,
  type Decline,
  declines,
  depositAmounts,
  depositLink,
  goods,
  openCustomers,
} from './shop.ts'

export const dayMs = 86_400_000
const minuteMs = 60_000
export const daysBefore = 30
const seed = 2_026
/** Fewest and most orders on a day, from Sunday to Saturday. People buy most on Fridays and Saturdays. */
const ordersByWeekday = [
  [3, 5],
  [9, 12],
  [10, 13],
  [10, 13],
  [11, 15],
  [15, 21],
  [17, 23],
] as const
/** How busy each hour is, from 8 to 21 o'clock: before noon, and after work. */
const busyHours = [3, 5, 8, 10, 11, 9, 6, 5, 6, 8, 11, 9, 5, 2]
const firstHour = 8
/** From this day of the month, wages have been paid. */
const paydayFrom = 26
const paydayOrders = 2 // additional orders on these days

export type Way = 'checkout' | 'deposit' | 'class' | 'counter'

/** An attempt to pay an order: who pays, when the payer starts, and when the outcome is known. */
export type Attempt = { customer: Customer; startsAt: Date; endsAt: Date; decline?: Decline }

/** An order with its attempts, of which only the last can succeed. An abandoned order has none. */
export type PlannedOrder = {
  way: Way
  at: Date
  item: { name: string; price: number; quantity: number }
  attempts: Attempt[]
}

/**
 * Returns the orders of the thirty days before `now` and of today, in order of time. The choices are the same on
 * every run, but the weekdays depend on the date. Freetown's time is UTC.
 */
export function planOrders(now: Date): PlannedOrder[] {
  const dice = rollDice(seed)
  const customers = openCustomers(dice)
  const today = startOfDay(now)
  return Array.from(
    { length: daysBefore + 1 },
    (_, i) => new Date(today.getTime() - (daysBefore - i) * dayMs),
  )
    .flatMap((day) =>
      Array.from({ length: ordersOn(day, dice) }, () => orderAt(timeOn(day, dice), customers, dice)),
    )
    .filter((order) => endOf(order) < now)
    .toSorted((one, other) => one.at.getTime() - other.at.getTime())
}

export const startOfDay = (at: Date) => new Date(at.getTime() - (at.getTime() % dayMs))

const endOf = ({ at, attempts }: PlannedOrder) =>
  new Date((attempts.at(-1)?.endsAt ?? at).getTime() + 2 * minuteMs)

function ordersOn(day: Date, dice: Dice): number {
  const [fewest, most] = must(ordersByWeekday[day.getUTCDay()], 'orders of a weekday')
  return dice.between(fewest, most) + (day.getUTCDate() >= paydayFrom ? paydayOrders : 0)
}

function timeOn(day: Date, dice: Dice): Date {
  const hours = busyHours.map((busy, i) => ({ hour: firstHour + i, busy }))
  const { hour } = dice.pick(hours, ({ busy }) => busy)
  return new Date(day.getTime() + hour * 60 * minuteMs + dice.between(0, 60 * minuteMs - 1))
}

const ways = [
  { way: 'checkout', weight: 62 },
  { way: 'counter', weight: 20 },
  { way: 'deposit', weight: 12 },
  { way: 'class', weight: 6 },
] as const

function orderAt(at: Date, customers: Customer[], dice: Dice): PlannedOrder {
  const { way } = dice.pick(ways, ({ weight }) => weight)
  // Only phones can dial.
  const able = way === 'counter' ? customers.filter(({ type }) => type === 'momo') : customers
  const customer = dice.pick(able, ({ weight }) => weight)
  return { way, at, item: itemOf(way, dice), attempts: attemptsAt(at, way, customer, dice) }
}

function itemOf(way: Way, dice: Dice): PlannedOrder['item'] {
  if (way === 'deposit') return { name: depositLink.name, price: dice.pick(depositAmounts), quantity: 1 }
  if (way === 'class') return { name: classLink.item, price: classLink.price, quantity: 1 }
  if (way === 'counter') return { name: 'Counter', price: dice.pick(counterAmounts), quantity: 1 }
  const { name, price, most } = dice.pick(goods, ({ weight }) => weight)
  return { name, price, quantity: dice.between(1, most) }
}

const abandoned = 0.03 // share of orders that nobody tries to pay
const declined = 0.11 // share of attempts that fail
const retried = 0.55 // share of failed attempts after which the payer tries again
const maxAttempts = 3
/** How long a prompt waits for its payer. */
const promptMs = 60_000

function attemptsAt(at: Date, way: Way, customer: Customer, dice: Dice): Attempt[] {
  const attempts: Attempt[] = []
  // A payment code has no order until it is dialled.
  if (way !== 'counter' && dice.fraction() < abandoned) return attempts
  for (let from = at; attempts.length < maxAttempts; ) {
    const startsAt = new Date(from.getTime() + (way === 'counter' ? 0 : dice.between(15_000, 90_000)))
    const decline = dice.fraction() < declined ? dice.pick(declines, ({ weight }) => weight) : undefined
    const answerMs = decline?.word === 'EXPIRED' ? promptMs : dice.between(6_000, 40_000)
    const endsAt = new Date(startsAt.getTime() + answerMs)
    attempts.push({ customer, startsAt, endsAt, ...(decline && { decline }) })
    if (!decline || way === 'counter' || dice.fraction() >= retried) break
    from = endsAt
  }
  return attempts
}
