// Every supported rail, one line each.
export { rail as acquirer } from './acquirer/index.ts'
export { rail as airtelMoney } from './airtel-money/index.ts'
export { rail as gsma } from './gsma/index.ts'
export { rail as mpesaDaraja } from './mpesa-daraja/index.ts'
export { rail as mtnMomo } from './mtn-momo/index.ts'
export { rail as pawapay } from './pawapay/index.ts'
export { rail as paystack } from './paystack/index.ts'
export { rail as rest } from './rest/index.ts'
