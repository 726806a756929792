import {
  decimal,
  type OpenItem,
  type ReconciliationReport,
  type ShownMoney,
} from '../../../../sdk/src/index.ts'

type ClosedItem = ReconciliationReport['closedByHand']['items'][number]
type Difference = ReconciliationReport['proof']['differences'][number]

/** Formats a report for operators: totals, oldest items and the consistency check. */
export function describeReport(report: ReconciliationReport, now: Date): string {
  const { linesMatched, valueMatched, valueOpen, ageing, openItems, closedByHand, proof } = report
  const { differences, accounts } = proof
  const [oldest] = openItems.items
  return [
    `lines matched     ${linesMatched}`,
    `value matched     ${valueMatched.map(flowText).join('; ') || '0'}`,
    `oldest open item  ${oldest ? `${ageText(oldest.time, now)}: ${itemText(oldest)}` : 'none'}`,
    ...section('open value', valueOpen.map(stateText)),
    ...section('open items by age', ageing.map(groupText)),
    ...section('open items', openItems.items.map(datedText)),
    ...(openItems.isWhole ? [] : ['  and more; use --json to list all of them']),
    ...section('closed manually', closedByHand.items.map(closedText)),
    ...(closedByHand.items.length === closedByHand.lines ? [] : ['  and earlier ones']),
    '',
    differences.length === 0
      ? `ok    the matched and open lines of all ${accounts} clearing accounts add up to their balances`
      : 'FAIL  the matched and open lines of some clearing accounts do not add up to their balances',
    ...differences.map(differenceText),
    '',
  ].join('\n')
}

/** Returns a report as `--json` prints it. */
export const reportAsJson = ({ openItems, closedByHand, ...report }: ReconciliationReport) => ({
  ...report,
  oldestOpenItem: openItems.items.map(shownItem)[0] ?? null,
  openItems: { ...openItems, items: openItems.items.map(shownItem) },
  closedByHand: {
    ...closedByHand,
    items: closedByHand.items.map(({ closeTime, by, ...item }) => ({
      ...shownItem(item),
      ...{ closedAt: closeTime, closedBy: by },
    })),
  },
})

const shownItem = <Item extends Pick<OpenItem, 'time' | 'theirs' | 'ours'>>(item: Item) => {
  const { time, theirs, ours, ...more } = item
  return { ...more, at: time, theirs: shownSide(theirs), ours: shownSide(ours) }
}

const shownSide = (money: ShownMoney | null) => money && { amount: money.value, currency: money.currency }

const section = (title: string, lines: string[]) => (lines.length > 0 ? ['', title, ...lines] : [])

const stateText = ({ state, ...flow }: ReconciliationReport['valueOpen'][number]) =>
  `  ${inWords(state).padEnd(14)}  ${flowText(flow)}`

const groupText = ({ state, age, direction, items, amount }: ReconciliationReport['ageing'][number]) =>
  `  ${inWords(state).padEnd(14)}  ${age.padEnd(9)}  ${(direction === 'collection' ? 'in' : 'out').padEnd(3)}  ${items}  ${moneyText(amount)}`

const datedText = (item: OpenItem) => `  ${item.id}  ${item.time}  ${itemText(item)}`

const itemText = (item: OpenItem) => `${sidesText(item)}${whereText(item)}`

const closedText = (item: ClosedItem) =>
  `  ${item.id}  ${item.time}  ${sidesText(item)}, closed ${item.closeTime} by ${item.by}: ${item.reason}`

function sidesText({ state, providerId, environment, direction, theirs, ours }: OpenItem | ClosedItem) {
  const amounts = [theirs && `theirs ${moneyText(theirs)}`, ours && `ours ${moneyText(ours)}`].filter(Boolean)
  return `${inWords(state)}, ${providerId} ${environment} ${direction}, ${amounts.join(', ')}`
}

function whereText({ fileName, line, lineId, reference, spaceId, objectId, objectStatus }: OpenItem) {
  const there = lineId && `, line ${line} of ${fileName} (${lineId}${reference ? `, for ${reference}` : ''})`
  const status = objectStatus ? ` (${objectStatus})` : ''
  const here = spaceId && objectId && `, ${objectId}${status} of ${spaceId}`
  return `${there ?? ''}${here ?? ''}`
}

function differenceText({ spaceId, environment, purpose, currency, ...account }: Difference): string {
  const money = (value: Whole | null) => (value === null ? 'unknown' : moneyText({ currency, value }))
  return (
    `      ${purpose} of ${spaceId} in ${environment}: after ${account.lines} lines net ${money(account.balance)}; ` +
    `${account.matchedLines} matched ${money(minus(account.matchedIn, account.matchedOut))}; ` +
    `${account.openLines} open ${money(minus(account.openIn, account.openOut))}; ` +
    `difference ${money(account.difference)}`
  )
}

export const inWords = (state: string) => state.replaceAll('_', ' ')

/** A whole number of a response. The client parses one that a double cannot represent as a `bigint`. */
export type Whole = number | bigint

export const minus = (one: Whole, other: Whole): Whole => BigInt(one) - BigInt(other)

type Flow = { currency: string } & Record<'in' | 'out' | 'net', Whole>

export const flowText = ({ currency, in: into, out, net }: Flow) =>
  [`in ${moneyText({ currency, value: into })}`, `out ${moneyText({ currency, value: out })}`]
    .concat(`net ${moneyText({ currency, value: net })}`)
    .join(', ')

const moneyText = (money: ShownMoney) => `${money.currency} ${decimal(money)}`

function ageText(at: string, now: Date): string {
  const ms = Math.max(0, now.getTime() - Date.parse(at))
  const hours = Math.floor(ms / 3_600_000)
  return hours < 24 ? `${hours} h` : `${Math.floor(hours / 24)} d ${hours % 24} h`
}
