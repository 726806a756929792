import type { SliceExamples } from '../../../support/examples.ts'

export const examples: SliceExamples = {
  fields: {
    'brand.color': ['#0a7'],
    'brand.supportPhone': ['+23276123456'],
    'brand.termsUrl': ['https://shop.example/terms'],
    'payoutApprovalAbove[].currency': ['SLE'],
    'refundApprovalAbove[].currency': ['SLE'],
  },
  issues: {
    'PATCH /v1/settings': [
      {
        body: {
          brand: { name: 5, supportPhone: '1' },
          payoutApprovalAbove: [{ currency: 'XXX', value: 1 }],
        },
        shape: ['brand.name'],
        meaning: ['brand.supportPhone', 'payoutApprovalAbove[0].currency'],
      },
    ],
  },
}
