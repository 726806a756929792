import { airtelMoney } from '../../../packages/rails/airtel-money/fuzz.ts'
import { gsma } from '../../../packages/rails/gsma/fuzz.ts'
import { mpesaDaraja } from '../../../packages/rails/mpesa-daraja/fuzz.ts'
import { mtnMomo } from '../../../packages/rails/mtn-momo/fuzz.ts'
import { pawapay } from '../../../packages/rails/pawapay/fuzz.ts'
import { paystack } from '../../../packages/rails/paystack/fuzz.ts'
import { acquirer, rest } from '../../../packages/rails/rest/fuzz.ts'
import type { RailFuzz } from '../rail-fuzz.ts'

/** Every protocol. */
export const rails: readonly RailFuzz[] = [
  ...[mtnMomo, rest, acquirer, pawapay, mpesaDaraja, airtelMoney, gsma, paystack],
]
