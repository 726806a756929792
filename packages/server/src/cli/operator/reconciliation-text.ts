import { toMajorUnits } from '@pesewa/values'
import type { ClosedItem } from '../../finance/reconciliation/closing-store.ts'
import { showItem } from '../../finance/reconciliation/item-names.ts'
import type { Difference, Money, MoneyMoved, Report } from '../../finance/reconciliation/report.ts'
import type { OpenItem } from '../../finance/reconciliation/report-store.ts'
import { showId } from '../../platform/ids.ts'
import { showOwner } from '../../tenants/spaces/ownership.ts'
import { spaceIds } from '../../tenants/spaces/resources.ts'
import { toJson } from '../output/describe.ts'

/** Formats a report for operators: totals, oldest items and the consistency check. */
export function describeReport(report: Report, now: Date): string {
  const {
    linesMatched,
    valueMatched,
    valueOpen,
    oldestOpenItem: oldest,
    ageing,
    openItems,
    closedByHand,
    proof,
  } = report
  const { differences, accounts } = proof
  return [
    `lines matched     ${linesMatched}`,
    `value matched     ${valueMatched.map(flowText).join('; ') || '0'}`,
    `oldest open item  ${oldest ? `${ageText(oldest.at, now)}: ${itemText(oldest)}` : 'none'}`,
    ...section('open value', valueOpen.map(stateText)),
    ...section('open items by age', ageing.map(groupText)),
    ...section('open items', openItems.items.map(datedText)),
    ...(openItems.isWhole ? [] : ['  and more; use --json to list all of them']),
    ...section('closed manually', closedByHand.items.map(closedText)),
    ...(BigInt(closedByHand.items.length) === closedByHand.lines ? [] : ['  and earlier ones']),
    '',
    differences.length === 0
      ? `ok    the matched and open lines of all ${accounts} clearing accounts add up to their balances`
      : 'FAIL  the matched and open lines of some clearing accounts do not add up to their balances',
    ...differences.map(differenceText),
    '',
  ].join('\n')
}

/** Formats a report as one JSON object, with ids and amounts as in the API. */
export const reportAsJson = (report: Report): string =>
  toJson({
    ...report,
    oldestOpenItem: report.oldestOpenItem && shownItem(report.oldestOpenItem),
    openItems: { ...report.openItems, items: report.openItems.items.map(shownItem) },
    closedByHand: {
      ...report.closedByHand,
      items: report.closedByHand.items.map(({ name, ...item }) => ({ id: showItem(name), ...item })),
    },
    proof: {
      ...report.proof,
      differences: report.proof.differences.map((difference) => ({
        ...difference,
        spaceId: showId(spaceIds, difference.spaceId),
      })),
    },
  })

const shownItem = ({ name, ...item }: OpenItem) => ({
  id: showItem(name),
  ...item,
  spaceId: item.spaceId && showId(spaceIds, item.spaceId),
  objectId: item.objectId && item.objectType && showOwner({ type: item.objectType, id: item.objectId }),
})

const section = (title: string, lines: string[]) => (lines.length > 0 ? ['', title, ...lines] : [])

const stateText = ({ state, ...flow }: Report['valueOpen'][number]) =>
  `  ${inWords(state).padEnd(14)}  ${flowText(flow)}`

const groupText = ({ state, age, direction, items, amount }: Report['ageing'][number]) =>
  `  ${inWords(state).padEnd(14)}  ${age.padEnd(9)}  ${directionWords[direction].padEnd(3)}  ${items}  ${moneyText(amount)}`

const directionWords = { collection: 'in', disbursement: 'out' } as const

const datedText = (item: OpenItem) => `  ${showItem(item.name)}  ${item.at.toISOString()}  ${itemText(item)}`

const itemText = (item: OpenItem) => `${sidesText(item)}${whereText(item)}`

const closedText = (item: ClosedItem) =>
  `  ${showItem(item.name)}  ${item.at.toISOString()}  ${sidesText(item)}, closed ${item.closedAt.toISOString()} by ${item.closedBy}: ${item.reason}`

function sidesText({
  state,
  providerId,
  environment,
  direction,
  theirs,
  ours,
}: OpenItem | ClosedItem): string {
  const amounts = [theirs && `theirs ${moneyOf(theirs)}`, ours && `ours ${moneyOf(ours)}`].filter(Boolean)
  return `${inWords(state)}, ${providerId} ${environment} ${direction}, ${amounts.join(', ')}`
}

function whereText({ fileName, line, lineId, reference, ...ours }: OpenItem): string {
  const { spaceId, objectId, objectType, objectStatus } = ours
  const there = lineId && `, line ${line} of ${fileName} (${lineId}${reference ? `, for ${reference}` : ''})`
  const status = objectStatus && ` (${objectStatus})`
  const here =
    spaceId &&
    objectId &&
    objectType &&
    `, ${showOwner({ type: objectType, id: objectId })}${status ?? ''} of ${showId(spaceIds, spaceId)}`
  return `${there ?? ''}${here ?? ''}`
}

function differenceText(difference: Difference): string {
  const { spaceId, environment, purpose, currency } = difference
  const money = (value: bigint | null) => (value === null ? 'unknown' : moneyText({ currency, value }))
  return (
    `      ${purpose} of ${showId(spaceIds, spaceId)} in ${environment}: after ${difference.lines} lines ` +
    `net ${money(difference.balance)}; ` +
    `${difference.matchedLines} matched ${money(difference.matchedIn - difference.matchedOut)}; ` +
    `${difference.openLines} open ${money(difference.openIn - difference.openOut)}; difference ${money(difference.difference)}`
  )
}

export const inWords = (state: string) => state.replaceAll('_', ' ')

const moneyOf = ({ currency, amount }: { currency: string; amount: bigint }) =>
  moneyText({ currency, value: amount })

export const flowText = ({ currency, in: into, out, net }: MoneyMoved) =>
  [`in ${moneyText({ currency, value: into })}`, `out ${moneyText({ currency, value: out })}`]
    .concat(`net ${moneyText({ currency, value: net })}`)
    .join(', ')

const moneyText = ({ currency, value }: Money) =>
  `${currency} ${value < 0n ? '-' : ''}${toMajorUnits(value < 0n ? -value : value, currency)}`

function ageText(at: Date, now: Date): string {
  const ms = Math.max(0, now.getTime() - at.getTime())
  const hours = Math.floor(ms / 3_600_000)
  return hours < 24 ? `${hours} h` : `${Math.floor(hours / 24)} d ${hours % 24} h`
}
