import { isSupportedCurrency, maxAmount } from '@pesewa/values'
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { OperatorsSpace } from '../../../../sdk/src/index.ts'
import { type FeeCode, isFeeCode } from '../../money/fees/codes.ts'
import type { Decider } from '../../tenants/spaces/audit.ts'
import { CommandError, commandGroup, spaceArgument } from '../command.ts'
import { allOf, operating, withDecider } from './operator-command.ts'

/** Adds `pesewa spaces`, which manages tenants. Spaces cannot be deleted, because their books must be kept. */
export function addSpaceCommands(program: Command): void {
  const add = commandGroup(program, 'spaces', 'tenants, each with its own books, members and settings')
  const ofSpace = (name: string, about: string) => add(name, about).argument(...spaceArgument)
  operating(
    add('create', 'create a Space, with a main account in its country’s currency in each environment')
      .requiredOption('--name <name>', 'name shown to payers')
      .option('--country <code>', 'two-letter country code', 'SL'),
    async (api, { name, country }: { name: string; country: string }) => {
      const space = { name, country: country.toUpperCase() }
      // Reports invalid values in the same way whatever their length.
      ;(await import('../../tenants/spaces/spaces.ts')).checkSpace(space)
      return brief(await api.installation.spaces.create(space))
    },
  )
  operating(
    add('list', 'list all Spaces'),
    async (api) => ({ spaces: (await allOf(api.installation.spaces)).map(withStatus) }),
    {
      columns: 'id name country status createTime',
      empty: 'No Spaces yet. Create one: pesewa spaces create --name Shop',
    },
  )
  operating(
    ofSpace('show', 'show a Space, with its fees, its number of members and anything that needs attention'),
    async (api, id: string) => {
      const { fees } = await api.installation.spaces.fees(id)
      const space = await api.installation.spaces.retrieve(id)
      const { memberCount, openCaseCount } = space
      return { ...withStatus(space), memberCount, openCaseCount, fees }
    },
  )
  operating(
    withDecider(ofSpace('suspend', 'refuse all of a Space’s API calls and new payments')),
    async (api, id: string, { reason }: Decider) =>
      withStatus(await api.installation.spaces.suspend(id, { reason })),
    { confirm: () => 'Refuse all of this Space’s API calls and new payments from now on?' },
  )
  operating(
    withDecider(ofSpace('resume', 'resume a suspended Space')),
    async (api, id: string, { reason }: Decider) =>
      withStatus(await api.installation.spaces.resume(id, { reason })),
  )
  operating(
    ofSpace('set', 'set the fees and approval limits of a Space, in both environments')
      .option(
        '--fee <rule>',
        'payment=1%, payout=0.5%,min=SLE:50 or refund=0.5%; repeatable',
        collectValues(feeArgument),
      )
      .option(
        '--payout-approval-above <amount>',
        'SLE:100000, in minor units: larger payouts need another user’s approval; SLE:none removes the limit; repeatable',
        collectValues(approvalArgument),
      )
      .option(
        '--refund-approval-above <amount>',
        'the same limit for refunds; repeatable',
        collectValues(approvalArgument),
      )
      .addOption(
        new Option(
          '--refund-when-short <what>',
          'what to do with a refund if its account has insufficient funds',
        ).choices(['refuse', 'queue']),
      )
      .option('--return-payment-fee', 'return a proportional part of the payment’s fee with each refund')
      .option('--no-return-payment-fee', 'keep the payment’s fee when the payment is refunded'),
    async (api, id: string, options: SpaceOptions) => {
      const rules = rulesOf(options)
      if (Object.keys(rules).length === 0)
        throw new CommandError('Nothing to set: add --fee, --payout-approval-above or another option.')
      return brief(await api.installation.spaces.setRules(id, { ...rules, reason: 'pesewa spaces set' }))
    },
    { names: { 'fees[].rule': 'fee' } },
  )
}

type SpaceOptions = {
  fee?: { code: FeeCode; rule: string }[]
  payoutApprovalAbove?: NewLimit[]
  refundApprovalAbove?: NewLimit[]
  refundWhenShort?: 'refuse' | 'queue'
  returnPaymentFee?: boolean
}
/** An approval limit in minor units; null removes the limit. */
type NewLimit = { currency: string; value: number | null }

const rulesOf = ({ payoutApprovalAbove, refundApprovalAbove, ...options }: SpaceOptions) => ({
  ...(options.fee && { fees: options.fee }),
  ...(payoutApprovalAbove && { payoutApprovalAbove }),
  ...(refundApprovalAbove && { refundApprovalAbove }),
  ...(options.refundWhenShort && { refundsWhenShort: options.refundWhenShort }),
  ...(options.returnPaymentFee !== undefined && { returnsPaymentFee: options.returnPaymentFee }),
})

const brief = ({ id, name, country, createTime }: OperatorsSpace) => ({ id, name, country, createTime })
const withStatus = (space: OperatorsSpace) => ({
  ...brief(space),
  status: space.status,
  suspension: space.suspension,
})

/** Returns a parser that collects the values of a repeatable option. */
const collectValues =
  <T>(parse: (text: string) => T) =>
  (text: string, before: T[] = []): T[] => [...before, parse(text)]

function approvalArgument(text: string): NewLimit {
  const [, currency = '', digits = ''] = /^([A-Z]{3}):(none|\d{1,16})$/.exec(text) ?? []
  const value = digits === 'none' ? null : Number(digits)
  if (!isSupportedCurrency(currency) || (value ?? 0) > maxAmount)
    throw new InvalidArgumentError('must have the form SLE:100000, in minor units, or SLE:none.')
  return { currency, value }
}

function feeArgument(text: string): { code: FeeCode; rule: string } {
  const [code = '', rule] = text.split(/=(.*)/s, 2)
  if (!isFeeCode(code) || !rule)
    throw new InvalidArgumentError('must have the form payment=1% or payout=0.5%.')
  return { code, rule }
}
