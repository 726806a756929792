import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type ApprovalClaim, approvalTotalNames, checkInOrder, limitOf } from './policy.ts'

const scope = { spaceId: 'ours', environment: 'live' } as const
const theirs = { spaceId: 'theirs', environment: 'live' } as const
const at = new Date(0)
const claim = (amount: bigint, change: Partial<ApprovalClaim> = {}): ApprovalClaim => ({
  ...{ scope, at, amount, currency: 'SLE', userId: 'fatu', payeeAccount: '+23276123456' },
  ...change,
})
const limits = new Map([[limitOf({ scope, currency: 'SLE' }), 100n]])
/** Returns the sums as if these amounts had been paid without approval within the last day. */
const sumsWith = (before: ApprovalClaim[]) =>
  new Map(before.flatMap((each) => approvalTotalNames(each).map((name) => [name, each.amount] as const)))

const another = { userId: 'issa', payeeAccount: '+23276999999' }
const judged: [what: string, before: ApprovalClaim[], claims: ApprovalClaim[], needApproval: boolean[]][] = [
  ['exactly the limit', [], [claim(100n)], [false]],
  ['more than the limit', [], [claim(101n)], [true]],
  ['a currency without a limit', [], [claim(101n, { currency: 'GHS' })], [false]],
  ['a Space without a limit', [], [claim(101n, { scope: theirs })], [false]],
  ['the other environment', [], [claim(101n, { scope: { ...scope, environment: 'test' } })], [false]],
  ['two payouts by one creator', [], [claim(60n), claim(60n, { payeeAccount: 'x' })], [false, true]],
  ['two payouts to one payee', [], [claim(60n), claim(60n, { userId: 'issa' })], [false, true]],
  ['two payouts with nothing in common', [], [claim(60n), claim(60n, another)], [false, false]],
  ['two payouts in two currencies', [], [claim(60n), claim(60n, { currency: 'GHS' })], [false, false]],
  ['a payout that needs approval does not count', [], [claim(101n), claim(100n)], [true, false]],
  ['a small enough payout passes afterwards', [], [claim(60n), claim(60n), claim(40n)], [false, true, false]],
  ['an earlier payout', [claim(60n)], [claim(40n), claim(1n)], [false, true]],
  ['an earlier payout of another user', [claim(100n, another)], [claim(100n)], [false]],
]

for (const [what, before, claims, needApproval] of judged)
  test(`${what}: ${needApproval.map((needed) => (needed ? 'needs approval' : 'needs no approval')).join(', then ')}`, () => {
    const judgements = checkInOrder(claims, limits, sumsWith(before))
    assert.deepEqual(
      judgements.map(({ needsApproval }) => needsApproval),
      needApproval,
    )
  })

test('only unapproved payouts under a limit count towards it', () => {
  const claims = [claim(100n), claim(1n), claim(1n, { currency: 'GHS' })]
  assert.deepEqual(checkInOrder(claims, limits, new Map()), [
    { needsApproval: false, countsUnapproved: true },
    { needsApproval: true, countsUnapproved: false },
    { needsApproval: false, countsUnapproved: false },
  ])
})

test('no creator or payee ever exceeds the limit without approval', () => {
  const one = fc.record({
    amount: fc.bigInt({ min: 1n, max: 150n }),
    userId: fc.constantFrom('fatu', 'issa'),
    payeeAccount: fc.constantFrom('x', 'y', 'z'),
  })
  fc.assert(
    fc.property(fc.array(one), (many) => {
      const claims = many.map(({ amount, ...names }) => claim(amount, names))
      const sums = new Map<string, bigint>()
      const judgements = checkInOrder(claims, limits, sums)
      const unapproved = claims.filter((_, i) => judgements[i]?.countsUnapproved)
      for (const name of claims.flatMap(approvalTotalNames)) {
        const counted = unapproved.filter((each) => approvalTotalNames(each).includes(name))
        const sum = counted.reduce((total, { amount }) => total + amount, 0n)
        assert.ok(sum <= 100n)
        assert.equal(sums.get(name) ?? 0n, sum)
      }
    }),
  )
})
