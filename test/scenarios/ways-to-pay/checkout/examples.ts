import { showId } from '../../../../packages/server/src/platform/ids.ts'
import { linkIds } from '../../../../packages/server/src/ways-to-pay/checkout/resources.ts'
import type { SliceExamples } from '../../../support/examples.ts'

export const examples: SliceExamples = {
  fields: {
    'brandingOptions.primaryColor': ['#0a7'],
    'paymentOptions.bank.enabledProviders[]': ['slb001'],
    'paymentOptions.bank.disabledProviders[]': ['slb004'],
    'paymentOptions.momo.enabledProviders[]': ['m17'],
    'paymentOptions.momo.disabledProviders[]': ['m18'],
    'paymentOptions.wallet.enabledProviders[]': ['dw001'],
    'paymentOptions.wallet.disabledProviders[]': ['dw001'],
  },
  filters: { paymentLinkId: [showId(linkIds, '018bcfe5-6802-7000-8000-000000000000')] },
}
