import type { RailFuzz } from '../rail-fuzz.ts'
import { airtelMoney } from './airtel-money.ts'
import { gsma } from './gsma.ts'
import { mpesaDaraja } from './mpesa-daraja.ts'
import { mtnMomo } from './mtn-momo.ts'
import { pawapay } from './pawapay.ts'
import { paystack } from './paystack.ts'
import { acquirer, rest } from './rest.ts'

/** Every protocol. */
export const rails: readonly RailFuzz[] = [
  ...[mtnMomo, rest, acquirer, pawapay, mpesaDaraja, airtelMoney, gsma, paystack],
]
