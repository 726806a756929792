import { isSupportedCurrency, must, wholeNumber } from '@pesewa/values'
import { parsePhone } from '@pesewa/values/phones'
import type { Static } from 'typebox'
import { timeZoneOf } from '../../countries/time-zones.ts'
import { findProposals, replaceLimits } from '../../money/approvals/limits.ts'
import { type LimitProposal, selectLimits } from '../../money/approvals/store.ts'
import { describeFees } from '../../money/fees/fees.ts'
import { findPolicies, setPolicy } from '../../money/refunds/policies.ts'
import type { Reader, Tx } from '../../platform/db/database.ts'
import type { WellFormed } from '../../platform/http/commands/route.ts'
import { showId } from '../../platform/ids.ts'
import { Issues } from '../../platform/refusals.ts'
import type { Scope } from '../../platform/scope.ts'
import type { Catalogue } from '../../rails/connections/catalogue.ts'
import { findNameIssue } from '../../rails/connections/reserved-names.ts'
import { type BrandChange, findBrand, logoPath, setBrand } from '../../tenants/spaces/brands.ts'
import { spaceIds, userIds } from '../../tenants/spaces/resources.ts'
import { lockSettings, selectSpace } from '../../tenants/spaces/store.ts'
import { sendsReceiptsBySms, setReceiptsBySms } from '../../ways-to-pay/checkout/receipt-settings.ts'
import { readLogo } from './logos.ts'
import type { settingsChange } from './shapes.ts'

export type SettingsChange = Omit<Static<typeof settingsChange>, 'reason'>

/** Returns all settings of a Space in an environment, including those made by the operator. */
export async function describeSettings(db: Reader, baseUrl: string, scope: Scope, now: Date) {
  const { id, name, country, createdAt } = await findOwnSpace(db, scope)
  const { logoId, ...brand } = await findBrand(db, scope)
  const [policy] = await findPolicies(db, [{ scope }])
  const { queuesWhenShort, returnsPaymentFee } = must(policy, 'policy of a Space')
  const limits = Map.groupBy(await selectLimits(db, scope), ({ kind }) => kind)
  return {
    spaceId: showId(spaceIds, id),
    name,
    country,
    timeZone: timeZoneOf(country),
    createTime: createdAt.toISOString(),
    brand,
    logoUrl: logoId && baseUrl + logoPath(scope, logoId),
    payoutApprovalAbove: (limits.get('payout') ?? []).map(presentAbove),
    refundApprovalAbove: (limits.get('refund') ?? []).map(presentAbove),
    proposedApprovalsAbove: (await findProposals(db, scope, now)).map(presentProposal),
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

const presentProposal = ({ kind, currency, amount, proposedBy, proposedAt }: LimitProposal) => ({
  kind,
  currency,
  value: amount === null ? null : wholeNumber(amount),
  proposedBy: showId(userIds, proposedBy),
  time: proposedAt.toISOString(),
})

/** Adds issues for the parts of a change that its schema cannot check. */
export async function validateSettings(
  db: Reader,
  catalogue: Catalogue,
  scope: Scope,
  { brand, payoutApprovalAbove, refundApprovalAbove }: WellFormed<SettingsChange>,
  issues: Issues,
): Promise<void> {
  const lists = { payoutApprovalAbove, refundApprovalAbove }
  for (const [param, limits = []] of Object.entries(lists)) {
    const currencies = limits.map((limit) => limit?.currency)
    for (const [i, currency] of currencies.entries()) {
      if (currency === undefined) continue
      if (!isSupportedCurrency(currency)) issues.add(`${param}[${i}].currency`, 'is not a supported currency')
      if (currencies.indexOf(currency) !== i) issues.add(`${param}[${i}].currency`, 'is listed twice')
    }
  }
  const { country } = await findOwnSpace(db, scope)
  if (brand?.supportPhone && parsePhone(brand.supportPhone, country, scope.environment) === undefined)
    issues.add('brand.supportPhone', 'is not a phone number')
  const nameFault = brand?.name ? findNameIssue(catalogue, brand.name) : undefined
  if (nameFault) issues.add('brand.name', nameFault)
}

/**
 * Changes the given settings. Lists of approval limits are replaced as a whole. An increase or removal of a
 * limit takes effect only when another member makes the same change.
 *
 * @throws Refusal `arguments_invalid`
 */
export async function changeSettings(
  tx: Tx,
  catalogue: Catalogue,
  scope: Scope,
  {
    brand,
    payoutApprovalAbove,
    refundApprovalAbove,
    refundsWhenShort,
    returnsPaymentFee,
    receiptsBySms,
  }: SettingsChange,
  by: { userId: string; at: Date },
): Promise<void> {
  const issues = new Issues()
  await validateSettings(tx, catalogue, scope, { brand, payoutApprovalAbove, refundApprovalAbove }, issues)
  issues.refuse()
  if (brand)
    await setBrand(tx, scope, readBrand(brand, (await findOwnSpace(tx, scope)).country, scope), by.at)
  // The settings are locked, so that if two identical changes are made concurrently, the first becomes the proposal
  // and the second confirms it.
  if (payoutApprovalAbove || refundApprovalAbove) await lockSettings(tx, scope.spaceId)
  if (payoutApprovalAbove) await replaceLimits(tx, scope, 'payout', payoutApprovalAbove, by)
  if (refundApprovalAbove) await replaceLimits(tx, scope, 'refund', refundApprovalAbove, by)
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

/** Returns a colour as six lower-case hexadecimal digits. For example, `#0A7` becomes `#00aa77`. */
const longHex = (color: string) =>
  (color.length === 7 ? color : color.replaceAll(/[^#]/g, '$&$&')).toLowerCase()

const findOwnSpace = async (db: Reader, { spaceId }: Scope) =>
  must(await selectSpace(db, spaceId), 'Space of a call')
