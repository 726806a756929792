import { noPromise, type RailConformance } from '../../../test/support/rail-conformance.ts'

export const conformance: RailConformance = {
  provider: 'at-gh',
  hasNoLatePayer: true,
  leftOut: {
    'commit before answer': noPromise,
    'late success': 'not run: no account was given with --late',
    'clock skew': 'not applicable: Paystack’s reports contain no signed time',
  },
}
