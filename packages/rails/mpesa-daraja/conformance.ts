import { noPromise, type RailConformance, unstated } from '../../../test/support/rail-conformance.ts'

export const conformance: RailConformance = {
  provider: 'mpesa-ke',
  leftOut: {
    'wrong amount': unstated,
    'repeated submit':
      'not applicable: M-Pesa does not accept our reference, so repeating a request creates another payment',
    'commit before answer': noPromise,
    'clock skew': 'not applicable: M-Pesa does not sign its reports',
  },
}
