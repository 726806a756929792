import { wholeNumber } from '@pesewa/values'
import { showId } from '../../platform/ids.ts'
import { showOwner } from '../../tenants/spaces/ownership.ts'
import { spaceIds } from '../../tenants/spaces/resources.ts'
import type { ClosedItem } from './closing-store.ts'
import { showItem } from './item-names.ts'
import type { Report } from './report.ts'
import type { OpenItem } from './report-store.ts'

/** Returns a report as an API resource. */
export const presentReport = ({ openItems, closedByHand, proof, ...report }: Report) => ({
  linesMatched: wholeNumber(report.linesMatched),
  valueMatched: report.valueMatched.map(wholeNumbers),
  valueOpen: report.valueOpen.map(wholeNumbers),
  ageing: report.ageing.map(({ amount, ...group }) => ({
    ...wholeNumbers(group),
    amount: wholeNumbers(amount),
  })),
  openItems: { isWhole: openItems.isWhole, items: openItems.items.map(presentItem) },
  closedByHand: {
    lines: wholeNumber(closedByHand.lines),
    value: closedByHand.value.map(wholeNumbers),
    items: closedByHand.items.map((item) => ({
      ...presentSides(item),
      ...{ closeTime: item.closedAt.toISOString(), by: item.closedBy, reason: item.reason },
    })),
  },
  proof: {
    accounts: proof.accounts,
    differences: proof.differences.map((difference) => ({
      ...wholeNumbers(difference),
      spaceId: showId(spaceIds, difference.spaceId),
    })),
  },
  isClean: report.isClean,
})

/** Returns an open item as an API resource. */
export const presentItem = ({ lineId, fileName, line, reference, objectStatus, ...item }: OpenItem) => ({
  ...presentSides(item),
  ...{ lineId, fileName, line, reference, objectStatus },
  spaceId: item.spaceId && showId(spaceIds, item.spaceId),
  objectType: item.objectType,
  objectId: item.objectType && item.objectId && showOwner({ id: item.objectId, type: item.objectType }),
})

type Sides = Pick<OpenItem & ClosedItem, 'name' | 'state' | 'providerId' | 'environment' | 'direction'> &
  Pick<OpenItem, 'at' | 'theirs' | 'ours'>

const presentSides = ({ name, state, providerId, environment, direction, at, theirs, ours }: Sides) => ({
  ...{ id: showItem(name), state, providerId, environment, direction, time: at.toISOString() },
  ...{ theirs: presentSide(theirs), ours: presentSide(ours) },
})

const presentSide = (money: OpenItem['theirs']) =>
  money && { currency: money.currency, value: wholeNumber(money.amount) }

type Numbers<Row> = {
  [Field in keyof Row]: Row[Field] extends bigint | null ? number | Extract<Row[Field], null> : Row[Field]
}

/** Returns a row in which every `bigint` is a number that JSON shows exactly. */
function wholeNumbers<Row extends object>(row: Row) {
  const shown = ([name, value]: [string, unknown]) => [
    name,
    typeof value === 'bigint' ? wholeNumber(value) : value,
  ]
  // `fromEntries` does not keep the names of the fields.
  return Object.fromEntries(Object.entries(row).map(shown)) as Numbers<Row>
}
