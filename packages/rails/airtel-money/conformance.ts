import { noPromise, type RailConformance, unstated } from '../../../test/support/rail-conformance.ts'

export const conformance: RailConformance = {
  provider: 'airtel-ke',
  leftOut: {
    'wrong amount': unstated,
    'commit before answer': noPromise,
    'clock skew': 'not applicable: Airtel’s reports contain no signed time',
  },
}
