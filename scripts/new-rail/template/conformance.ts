import { noPromise, noProof, type RailConformance } from '../../../test/support/rail-conformance.ts'

export const conformance: RailConformance = {
  leftOut: { 'commit before answer': noPromise, 'genuine callback': noProof, 'clock skew': noProof },
}
