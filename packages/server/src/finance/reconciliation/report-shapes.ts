import Type from 'typebox'
import { shownMoney } from '../../countries/shapes.ts'
import { object, optional, text, timestamp, withDescription } from '../../platform/http/shapes/shapes.ts'
import { environmentShape } from '../../rails/connections/shapes.ts'
import { direction, extentQuery, itemFields, itemState, openItem } from './operator-shapes.ts'
import { ages, maxItemsListed } from './report.ts'

const amount = (description: string) => Type.Integer({ description, examples: [36_000] })
const count = (description: string) => Type.Integer({ description, examples: [12] })

const currency = withDescription(
  Type.String({ examples: ['SLE'] }),
  'Currency of the amounts, an ISO 4217 code.',
)
const moved = {
  currency,
  in: amount('Money in, in minor units.'),
  out: amount('Money out, in minor units.'),
  net: amount('Money in less money out.'),
}

const difference = object({
  spaceId: withDescription(Type.String(), 'Space of the clearing account.'),
  environment: environmentShape,
  purpose: withDescription(Type.String({ examples: ['clearing m17 collection'] }), 'Purpose of the account.'),
  direction,
  currency,
  lines: count('Number of lines that matching has read.'),
  matchedLines: count('Number of matched lines.'),
  matchedIn: amount('Matched money in.'),
  matchedOut: amount('Matched money out.'),
  openLines: count('Number of open lines.'),
  openIn: amount('Open money in.'),
  openOut: amount('Open money out.'),
  balance: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    description: 'Money in less money out, according to the account; null if its last line is missing.',
  }),
  difference: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    description: 'Balance less the matched and open money; null if the balance is unknown.',
  }),
})

export const report = object(
  {
    linesMatched: count('Number of matched lines.'),
    valueMatched: Type.Array(object(moved), { description: 'Matched money, by currency.' }),
    valueOpen: Type.Array(object({ state: itemState, ...moved }), {
      description: 'Money of open items, by state and currency.',
    }),
    ageing: Type.Array(
      object({
        state: itemState,
        age: Type.Enum(ages, {
          description:
            'Time since the money moved, in days: `under 1 d`, `1 to 7 d`, `7 to 30 d` or `over 30 d`.',
        }),
        direction,
        items: count('Number of items.'),
        amount: withDescription(shownMoney, 'Total of the items.'),
      }),
      { description: 'Open items, by state, age and direction.' },
    ),
    openItems: object(
      {
        isWhole: Type.Boolean({ description: 'True if all open items are listed.' }),
        items: Type.Array(openItem, { description: 'Open items, oldest first.' }),
      },
      { description: 'Items that are not matched.' },
    ),
    closedByHand: object(
      {
        lines: count('Number of closed items.'),
        value: Type.Array(object(moved), { description: 'Money of closed items, by currency.' }),
        items: Type.Array(
          object({
            ...itemFields,
            closeTime: withDescription(timestamp, 'When it was closed.'),
            by: Type.String({ description: 'Who closed it.', examples: ['ama@operator.example'] }),
            reason: withDescription(Type.String(), 'Reason given.', 'Paid back in cash'),
          }),
          { description: 'Closed items, most recently closed first.' },
        ),
      },
      { description: 'Items that operators closed, which are never matched.' },
    ),
    proof: object(
      {
        accounts: count('Number of clearing accounts.'),
        differences: Type.Array(difference, {
          description: 'Accounts whose matched and open lines do not add up to the balance.',
        }),
      },
      { description: 'Proof that every line of the clearing accounts is either matched or open.' },
    ),
    isClean: Type.Boolean({ description: 'True if all open items are only waiting for a statement.' }),
  },
  { title: 'ReconciliationReport' },
)

export const standardItems = 20 // open items in a report, unless the caller asks for more

export const reportQuery = object({
  ...extentQuery.properties,
  maxItems: optional(
    Type.Integer({
      minimum: 1,
      maximum: maxItemsListed,
      default: standardItems,
      description: 'Maximum number of open items and of closed items to list.',
    }),
  ),
})

export const matchingBody = object({
  ...extentQuery.properties,
  after: optional(
    text(1, 200, {
      examples: ['m17/test/4242'],
      description: 'Value of `after` in the previous response; omit to start.',
    }),
  ),
})

export const matching = object(
  {
    isDone: Type.Boolean({ description: 'True if everything has been tried. If false, call again.' }),
    after: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Progress, for the next call; null if the next call starts without it.',
    }),
  },
  { title: 'MatchingStep' },
)
