import { failures, type PaidCard } from '@pesewa/connector-kit'
import type { Payer } from '../money/payments/channel.ts'
import type { Dice } from './random.ts'

const name = 'Kadi’s Cloth'

/** The shop of the demo: a tailor and cloth shop in Freetown. `brand`: what its customers see. */
export const shop = {
  name,
  brand: {
    name,
    color: '#0f766e',
    supportEmail: 'orders@kadis-cloth.example',
    supportPhone: '+23276600100',
  },
} as const

/** Prices are in cents of a leone (SLE), as all amounts here. `weight` is how often an item is bought. */
export const goods = [
  { name: 'Country cloth, per lappa', price: 15_000, weight: 24, most: 3 },
  { name: 'Gara tie-dye, per lappa', price: 12_000, weight: 20, most: 3 },
  { name: 'Headtie', price: 6_000, weight: 16, most: 2 },
  { name: 'Ankara, six yards', price: 27_000, weight: 12, most: 1 },
  { name: 'School uniform', price: 18_000, weight: 11, most: 2 },
  { name: 'Baby wrap', price: 4_500, weight: 8, most: 2 },
  { name: 'Kaba sloht, tailored', price: 65_000, weight: 5, most: 1 },
  { name: 'Ronko gown', price: 48_000, weight: 4, most: 1 },
] as const

/** Amounts that customers at the counter pay by dialling: alterations, zips and yards of lining. */
export const counterAmounts = [2_500, 3_000, 4_000, 5_000, 7_500, 8_000, 10_000, 12_500, 15_000] as const

export const depositLink = {
  name: 'Deposit for a tailored dress',
  minimum: 10_000,
  maximum: 100_000,
} as const
export const depositAmounts = [10_000, 15_000, 20_000, 25_000, 30_000, 40_000] as const
export const classLink = { name: 'Gara dyeing class', item: 'Place in the class', price: 25_000 } as const

/** Payouts to the shop's workers, every Friday. */
export const tailors = [
  { name: 'Isatu Bangura', providerId: 'm17', phone: '+23276418330', base: 68_000 },
  { name: 'Mohamed Conteh', providerId: 'm17', phone: '+23278520147', base: 74_000 },
  { name: 'Fatmata Turay', providerId: 'm18', phone: '+23277361925', base: 59_000 },
  { name: 'Abu Kargbo', providerId: 'm18', phone: '+23288704416', base: 81_000 },
] as const

const networks = [
  { providerId: 'm17', type: 'momo', prefixes: ['76', '78', '79', '75', '74'], weight: 50 },
  { providerId: 'm18', type: 'momo', prefixes: ['77', '88', '30', '33', '99'], weight: 28 },
  { providerId: 'dw001', type: 'wallet', prefixes: [], weight: 7 },
  { providerId: 'slb001', type: 'bank', prefixes: [], weight: 4 },
  { providerId: 'slb004', type: 'bank', prefixes: [], weight: 4 },
  { providerId: 'card', type: 'card', prefixes: [], weight: 7 },
] as const

const walletNames = ['aminata', 'sorie', 'hawa', 'alhassan', 'adama', 'ibrahim', 'kadiatu'] as const

/** A customer, with the card that a card payment is made with. */
export type Customer = Payer & { card?: PaidCard; weight: number }

/** Returns the customers of the shop. Some come often, and most come once or twice in a month. */
export function openCustomers(dice: Dice): Customer[] {
  return networks.flatMap((network) => {
    const count = network.type === 'momo' ? 56 : walletNames.length
    const ranks = Array.from({ length: count }, (_, i) => 1 / (i + 3))
    const sum = ranks.reduce((total, rank) => total + rank, 0)
    return ranks.map((rank, i) => ({
      ...accountOf(network, i, dice),
      weight: (network.weight * rank) / sum,
    }))
  })
}

type Network = (typeof networks)[number]

function accountOf(
  { providerId, type, prefixes }: Network,
  i: number,
  dice: Dice,
): Payer & { card?: PaidCard } {
  switch (type) {
    case 'momo':
      // The last three digits are not those of a test number, so that refunds and further payments succeed.
      return {
        providerId,
        type,
        account: `+232${dice.pick(prefixes)}${dice.between(200, 899)}${dice.between(200, 899)}`,
      }
    case 'wallet':
      return { providerId, type, account: `${walletNames[i]}@safulpay` }
    case 'bank':
      return {
        providerId,
        type,
        account: `00${dice.between(10_000_000, 99_999_999)}${dice.between(200, 899)}`,
      }
    case 'card': {
      const [scheme, last4] = dice.pick([
        ['visa', '4242'],
        ['mastercard', '4444'],
        ['verve', '5556'],
      ] as const)
      return { providerId, type, account: null, card: { scheme, last4, token: `demo-card-${i}` } }
    }
  }
}

/** The reasons why attempts fail: the simulator's word for each, and our failure. */
export const declines = [
  { word: 'NOT_ENOUGH_FUNDS', failure: failures.walletBalanceTooLow, weight: 5 },
  { word: 'APPROVAL_REJECTED', failure: failures.payerDeclined, weight: 3 },
  { word: 'EXPIRED', failure: failures.noResponse, weight: 3 },
] as const
export type Decline = (typeof declines)[number]
