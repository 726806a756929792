import type { Collection, RailOutcome, SubmitOutcome } from '../connector.ts'
import { describeOutcomes, type Finding, found, notRun } from './findings.ts'
import type { Interference, ProxiedAnswer } from './proxy.ts'
import { neverSubmitted, orderOf, queryOf, submit, type TestBench } from './test-bench.ts'
import { follow, isKnown, reportOn } from './waiting.ts'

// Cases in which the rail's response is invalid, late or lost.

type Account = string | null

export async function lostAnswer(stand: TestBench, account: Account): Promise<Finding> {
  const order = orderOf(stand, account)
  stand.proxy.interfere(order.reference, async (forward) => void (await forward()))
  const submitted = await submit(stand, order)
  stand.proxy.interfere(order.reference, (forward) => forward())
  const queried = await findAgain(stand, order)
  return unknownThenFound(
    stand,
    order,
    'the rail received the order, and its response was dropped',
    submitted,
    queried,
  )
}

/**
 * Queries a payment whose response was lost. If only a report can identify the payment, waits for the report
 * first, because earlier queries would be pointless.
 */
async function findAgain(stand: TestBench, order: Collection): Promise<RailOutcome> {
  const isNamed = !stand.conformance.isNamedByRail || (await reportOn(stand, order)) !== undefined
  return isNamed ? follow(stand, order, isKnown) : queryOf(stand, order)
}

function unknownThenFound(
  { conformance, seen }: TestBench,
  { reference }: Collection,
  did: string,
  submitted: SubmitOutcome,
  queried: RailOutcome,
): Finding {
  const isUnknown = submitted.outcome === 'unknown'
  if (isUnknown && conformance.isNamedByRail && !seen.named.has(reference))
    return notRun(
      'without the response, only a report can identify the payment, and no authentic report arrived',
    )
  return found(
    isUnknown && isKnown(queried),
    did,
    describeOutcomes(submitted, queried),
    'unknown; then a query finds the payment',
  )
}

export async function missingThenFound(stand: TestBench, account: Account): Promise<Finding> {
  const never = neverSubmitted(stand, account)
  let answer: ProxiedAnswer | undefined
  stand.proxy.interfere(never.reference, async (forward) => {
    answer = await forward()
    return answer
  })
  const ofNever = await queryOf(stand, never)
  const order = orderOf(stand, account)
  await submit(stand, order)
  stand.proxy.interfere(order.reference, async () => answer)
  const hidden = await queryOf(stand, order)
  stand.proxy.interfere(order.reference, (forward) => forward())
  const queried = await follow(stand, order, isKnown)
  const isOpen = ['missing', 'unknown'].includes(hidden.outcome)
  return found(
    isOpen && isKnown(queried),
    `a query got the response for a reference that was never submitted (${ofNever.outcome}), and the next query got the real response`,
    describeOutcomes(hidden, queried),
    'missing or unknown, which does not fail the payment; then the payment',
  )
}

export async function anotherRevision(stand: TestBench, account: Account): Promise<Finding> {
  const queried = await queryOf(stand, neverSubmitted(stand, account))
  return found(
    queried.outcome === 'missing' || queried.outcome === 'unknown',
    'a reference that the rail has never seen was queried, as after a change to the connection',
    describeOutcomes(queried),
    "missing or unknown; the service trusts neither once the connection's revision has changed",
  )
}

export async function slow(stand: TestBench, account: Account): Promise<Finding> {
  const order = orderOf(stand, account)
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  stand.proxy.interfere(order.reference, async (forward) => {
    const answer = await forward()
    await held
    return answer
  })
  const submitted = await submit(stand, order)
  release()
  stand.proxy.interfere(order.reference, (forward) => forward())
  const queried = await findAgain(stand, order)
  return unknownThenFound(
    stand,
    order,
    'the response was held until the connector timed out',
    submitted,
    queried,
  )
}

const nonsense: ProxiedAnswer[] = [
  { status: 200, body: '<html>It works!</html>' },
  { status: 200, body: '' },
  { status: 200, body: '{"status": "do' },
  { status: 400, body: '[]' },
  { status: 404, body: '<html>Not found</html>' },
  { status: 502, body: 'Bad gateway' },
]

export async function garbage(stand: TestBench, account: Account): Promise<Finding> {
  const words: string[] = []
  for (const answer of nonsense) {
    const order = orderOf(stand, account)
    stand.proxy.interfere(order.reference, async () => answer)
    words.push((await submit(stand, order)).outcome, (await queryOf(stand, order)).outcome)
  }
  return found(
    words.every((word) => word === 'unknown'),
    `submit and query requests got ${nonsense.length} meaningless responses`,
    [...new Set(words)].join(', '),
    'unknown each time',
  )
}

const elsewhere = 'https://elsewhere.example/pay'

export async function redirectElsewhere(stand: TestBench, account: Account): Promise<Finding> {
  const order = orderOf(stand, account)
  stand.proxy.interfere(order.reference, async () => ({ status: 302, body: '', location: elsewhere }))
  const redirected = await submit(stand, order)
  const did = 'the response to the submit request was a redirect to another host'
  const must = 'unknown, and nothing is sent to the other host'
  const other = orderOf(stand, account)
  const probe = await submit(stand, other)
  if (probe.outcome !== 'accepted' || probe.redirectUrl === undefined)
    return found(redirected.outcome === 'unknown', did, describeOutcomes(redirected), must)
  const paged = orderOf(stand, account)
  stand.proxy.interfere(paged.reference, sendingElsewhere(probe.redirectUrl))
  const foreign = await submit(stand, paged)
  return found(
    redirected.outcome === 'unknown' && foreign.outcome === 'unknown' && foreign.isSecurity === true,
    `${did}; then the payer was redirected to a page on another host`,
    describeOutcomes(redirected, foreign),
    `${must}; then unknown, flagged as a security issue`,
  )
}

const sendingElsewhere =
  (page: string): Interference =>
  async (forward) => {
    const { status, body } = await forward()
    return { status, body: body.replaceAll(new URL(page).origin, new URL(elsewhere).origin) }
  }
