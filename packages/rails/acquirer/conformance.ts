import { noPerson, noReader, type RailConformance } from '../../../test/support/rail-conformance.ts'

export const conformance: RailConformance = {
  leftOut: {
    'wrong amount': noPerson,
    'late success': noPerson,
    'callback before answer': noReader,
    'genuine callback': noReader,
    'doubled callback': noReader,
    'clock skew': noReader,
    'unauthentic callback': noReader,
  },
}
