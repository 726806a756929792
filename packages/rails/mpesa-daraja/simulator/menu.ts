import type { Provider } from '@pesewa/connector-kit'
import type { RailMenu, SimulatorParts } from '@pesewa/connector-kit/simulator'
import { simulatedShortCode } from '../test-credentials.ts'
import { payBill } from './bills.ts'

/** The part of M-Pesa's own menu with which payers make manual payments. */
export const payBillMenu: RailMenu = { code: '*334#', answer }

const ask = (text: string) => ({ text, isEnd: false })
const end = (text: string) => ({ text, isEnd: true })

async function answer(parts: SimulatorParts, provider: Provider, number: string, inputs: string[]) {
  const [business, reference, amount, choice] = inputs.map((input) => input.trim())
  if (business === undefined)
    return ask(`Lipa na M-PESA, Pay Bill\nEnter business no. (here ${simulatedShortCode})`)
  if (business !== simulatedShortCode) return end('Unknown business no.')
  if (reference === undefined) return ask('Enter account no.')
  if (!/^[^\n]{1,20}$/.test(reference)) return end('Account no. must be 1 to 20 characters.')
  if (amount === undefined) return ask('Enter amount')
  if (!/^[1-9][0-9]{0,5}$/.test(amount) || BigInt(amount) > mostShillings)
    return end(`Amount must be 1 to ${mostShillings} whole shillings.`)
  if (choice === undefined)
    return ask(`Pay Ksh${amount} to ${business}, account ${reference}?\n1. Yes\n2. No`)
  if (choice !== '1') return end('Nothing was paid.')
  const paid = { shillings: amount, reference, msisdn: number.replace('+', '') }
  return end(results[await payBill(parts, provider, paid)])
}

const mostShillings = 250_000n

const results: Record<Awaited<ReturnType<typeof payBill>>, string> = {
  paid: 'Paid. M-PESA will send you a message.',
  refused: 'The business did not accept this payment. Nothing was paid.',
  closed: 'The business has not registered its URLs, so it does not accept manual payments.',
}
