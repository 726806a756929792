import type { Collection, MovedMoney, RailOutcome, Verdict } from '../connector.ts'
import { parseFields } from '../rail-responses.ts'
import { describeOutcomes, type Finding, found, noPerson, notApplicable, notRun } from './findings.ts'
import type { ProxiedAnswer } from './proxy.ts'
import { orderOf, queryOf, submit, type TestBench } from './test-bench.ts'
import { follow, isKnown, pollMs } from './waiting.ts'

// Cases about money: exactly the requested amount must be moved, and only once.

type Account = string | null
type Done = Extract<Verdict, { outcome: 'done' }>

/**
 * Checks that a wrong amount is detected. This case runs first, because a rail that takes the wrong amount must
 * not be able to do so again.
 */
export async function wrongAmount(stand: TestBench, account: Account): Promise<Finding> {
  const order = orderOf(stand, account)
  const submitted = await submit(stand, order)
  const truth = await follow(stand, order)
  if (truth.outcome === 'pending') return notRun(noPerson)
  const words = describeOutcomes(submitted, truth)
  if (truth.outcome === 'refused') stand.seen.stop = `the payment from --paying failed: ${words}`
  if (truth.outcome !== 'done') return notRun(`the payment did not complete: ${words}`)
  if ('isAmountUnstated' in truth) return notApplicable('the rail reports no amount when queried')
  const must =
    'done with exactly the ordered amount; if the amount differs: done with that amount, done without one, or unknown'
  if (!isOrdered(order, truth)) {
    stand.seen.stop = 'the rail reported a different amount than was ordered; nothing more was sent'
    return found(
      false,
      'a payment was queried, and the response was passed on unchanged',
      statedBy(truth, order),
      must,
    )
  }
  stand.proxy.interfere(order.reference, async (forward) => withOtherAmounts(await forward()))
  const queried = await queryOf(stand, order)
  return found(
    queried.outcome === 'unknown' || (queried.outcome === 'done' && !isOrdered(order, queried)),
    'a payment was queried; then every amount in the response was changed',
    `${statedBy(truth, order)}; then ${queried.outcome === 'done' ? statedBy(queried, order) : describeOutcomes(queried)}`,
    must,
  )
}

const isOrdered = ({ amount, currency }: MovedMoney, moved: Done) =>
  moved.amount === amount && moved.currency === currency

const statedBy = ({ amount, currency }: Done, ordered: MovedMoney) =>
  amount === undefined
    ? 'done, without an amount'
    : `done with ${amount} ${currency} instead of the ordered ${ordered.amount} ${ordered.currency}, in minor units`

const withOtherAmounts = ({ status, body }: ProxiedAnswer): ProxiedAnswer => ({
  status,
  body: JSON.stringify(parseFields(body) ?? {}, (name, value) =>
    /amount/i.test(name) ? otherThan(value) : value,
  ),
})

/** Changes an amount by putting a 1 in front of it. */
function otherThan(value: unknown): unknown {
  if (typeof value === 'string') return `1${value}`
  return typeof value === 'number' ? Number(`1${value}`) : value
}

export async function repeatedSubmit(stand: TestBench, account: Account): Promise<Finding> {
  const order = orderOf(stand, account)
  const first = await submit(stand, order)
  const second = await submit(stand, order)
  const moved = await movedBy(stand, order)
  const named = [...moved.transactions]
  return found(
    [first, second].every(({ outcome }) => outcome === 'accepted' || outcome === 'unknown') &&
      isKnown(moved.last) &&
      named.length <= 1 &&
      (moved.last.outcome !== 'done' ||
        moved.last.amount === undefined ||
        moved.last.amount === order.amount),
    'the same order was submitted twice with the same reference',
    `${describeOutcomes(first, second, moved.last)}${named.length > 1 ? `, as ${named.length} transactions: ${named.join(', ')}` : ''}`,
    'accepted or unknown both times, never refused; then one transaction of the ordered amount',
  )
}

const morePolls = 4

/**
 * Queries the payment until it has an outcome, and a few more times after a success, because a second
 * transaction may complete after the first. Also reads the payment's reports.
 */
async function movedBy(stand: TestBench, order: Collection) {
  const transactions = new Set<string>()
  const note = (outcome: RailOutcome | undefined) => {
    if (outcome?.outcome === 'done' && outcome.railTransaction !== undefined)
      transactions.add(outcome.railTransaction)
  }
  let last = await follow(stand, order)
  note(last)
  for (let polls = 0; polls < morePolls && last.outcome === 'done'; polls++) {
    await stand.wait(pollMs)
    last = await queryOf(stand, order)
    note(last)
  }
  for (const report of stand.receiver.of(order.reference))
    note(stand.connector.readReport?.(report).verdictOn?.('collect'))
  return { last, transactions }
}
