import type { Static } from 'typebox'
import { sendsReceiptsBySms, setReceiptsBySms } from '../checkout/receipt-settings.ts'
import { isSupportedCurrency } from '../countries/money.ts'
import { parsePhone } from '../countries/phones.ts'
import { timeZoneOf } from '../countries/time-zones.ts'
import { describeFees } from '../payments/fee-rules.ts'
import { listApprovalsAbove, setApprovalAbove } from '../payouts/approval.ts'
import type { Reader, Tx } from '../platform/db/database.ts'
import { wholeNumber } from '../platform/http/json.ts'
import type { Sound } from '../platform/http/route.ts'
import { showId } from '../platform/ids.ts'
import { must } from '../platform/must.ts'
import { Faults } from '../platform/refusals.ts'
import type { Scope } from '../platform/scope.ts'
import { listRefundApprovalsAbove, setRefundApprovalAbove } from '../refunds/approval.ts'
import { findPolicies, setPolicy } from '../refunds/policies.ts'
import { type BrandChange, findBrand, logoPath, setBrand } from '../spaces/brands.ts'
import { spaceIds } from '../spaces/resources.ts'
import { findSpace } from '../spaces/spaces.ts'
import { readLogo } from './logos.ts'
import type { settingsChange } from './shapes.ts'

export type SettingsChange = Omit<Static<typeof settingsChange>, 'reason'>

/** All that a Space has set in an environment, and what the operator has set for it. */
export async function describeSettings(db: Reader, baseUrl: string, scope: Scope) {
  const { id, name, country, createdAt } = await spaceOf(db, scope)
  const { logoId, ...brand } = await findBrand(db, scope)
  const [policy] = await findPolicies(db, [{ scope }])
  const { queuesWhenShort, returnsPaymentFee } = must(policy, 'policy of a Space')
  return {
    spaceId: showId(spaceIds, id),
    name,
    country,
    timeZone: timeZoneOf(country),
    createTime: createdAt.toISOString(),
    brand,
    logoUrl: logoId && baseUrl + logoPath(scope, logoId),
    payoutApprovalAbove: (await listApprovalsAbove(db, scope)).map(presentAbove),
    refundApprovalAbove: (await listRefundApprovalsAbove(db, scope)).map(presentAbove),
    refundsWhenShort: queuesWhenShort ? ('queue' as const) : ('refuse' as const),
    returnsPaymentFee,
    receiptsBySms: await sendsReceiptsBySms(db, scope),
    fees: await describeFees(db, scope),
  }
}

const presentAbove = ({ currency, amount }: { currency: string; amount: bigint }) => ({
  currency,
  value: wholeNumber(amount),
})

/** Adds what is wrong with the meaning of a change. */
export async function judgeSettings(
  db: Reader,
  scope: Scope,
  { brand, payoutApprovalAbove, refundApprovalAbove }: Sound<SettingsChange>,
  faults: Faults,
): Promise<void> {
  const lists = { payoutApprovalAbove, refundApprovalAbove }
  for (const [param, limits = []] of Object.entries(lists)) {
    const currencies = limits.map((limit) => limit?.currency)
    for (const [i, currency] of currencies.entries()) {
      if (currency === undefined) continue
      if (!isSupportedCurrency(currency)) faults.add(`${param}[${i}].currency`, 'is not a supported currency')
      if (currencies.indexOf(currency) !== i) faults.add(`${param}[${i}].currency`, 'is there twice')
    }
  }
  const { country } = await spaceOf(db, scope)
  if (brand?.supportPhone && parsePhone(brand.supportPhone, country, scope.environment) === undefined)
    faults.add('brand.supportPhone', 'is not a phone number')
}

/**
 * Changes what is named; the limits of an approval as a whole.
 *
 * @throws Refusal `request_invalid` with what is wrong
 */
export async function changeSettings(
  tx: Tx,
  scope: Scope,
  {
    brand,
    payoutApprovalAbove,
    refundApprovalAbove,
    refundsWhenShort,
    returnsPaymentFee,
    receiptsBySms,
  }: SettingsChange,
  at: Date,
): Promise<void> {
  const faults = new Faults()
  await judgeSettings(tx, scope, { brand, payoutApprovalAbove, refundApprovalAbove }, faults)
  faults.refuse()
  if (brand) await setBrand(tx, scope, readBrand(brand, (await spaceOf(tx, scope)).country, scope), at)
  if (payoutApprovalAbove)
    await replaceLimits(await listApprovalsAbove(tx, scope), payoutApprovalAbove, (currency, amount) =>
      setApprovalAbove(tx, scope, currency, amount),
    )
  if (refundApprovalAbove)
    await replaceLimits(await listRefundApprovalsAbove(tx, scope), refundApprovalAbove, (currency, amount) =>
      setRefundApprovalAbove(tx, scope, currency, amount),
    )
  if (refundsWhenShort !== undefined || returnsPaymentFee !== undefined)
    await setPolicy(tx, scope, {
      ...(refundsWhenShort !== undefined && { queuesWhenShort: refundsWhenShort === 'queue' }),
      ...(returnsPaymentFee !== undefined && { returnsPaymentFee }),
    })
  if (receiptsBySms !== undefined) await setReceiptsBySms(tx, scope, receiptsBySms)
}

function readBrand(
  { color, logo, supportPhone, ...texts }: NonNullable<SettingsChange['brand']>,
  country: string,
  { environment }: Scope,
): BrandChange {
  return {
    ...texts,
    ...(color !== undefined && { color: color === null ? null : longHex(color) }),
    ...(logo !== undefined && { logo: logo === null ? null : readLogo(logo) }),
    ...(supportPhone !== undefined && {
      supportPhone: supportPhone && (parsePhone(supportPhone, country, environment) ?? null),
    }),
  }
}

/** `#0a7` and `#00AA77` are one colour. */
const longHex = (color: string) =>
  (color.length === 7 ? color : color.replaceAll(/[^#]/g, '$&$&')).toLowerCase()

type Limits = { currency: string; value: number }[]

async function replaceLimits(
  before: { currency: string }[],
  limits: Limits,
  set: (currency: string, amount: bigint | null) => Promise<unknown>,
): Promise<void> {
  const kept = new Set(limits.map(({ currency }) => currency))
  for (const { currency } of before) if (!kept.has(currency)) await set(currency, null)
  for (const { currency, value } of limits) await set(currency, BigInt(value))
}

const spaceOf = async (db: Reader, { spaceId }: Scope) =>
  must(await findSpace(db, spaceId), 'Space of a call')
