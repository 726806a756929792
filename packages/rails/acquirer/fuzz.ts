import type { RailFuzz } from '../../../test/fuzz/rail-fuzz.ts'
import { collects, givesBack, railOf, settings } from '../rest/fuzz.ts'
import { createAcquirer } from './connector.ts'

export const fuzz: RailFuzz = {
  ...railOf(null, (baseUrl, peer) => createAcquirer({ ...settings, baseUrl }, peer)),
  protocol: 'acquirer',
  calls: [...collects('sessions', { scheme: 'visa', last4: '4242', token: 'crd_8Tq1xV0a' }), ...givesBack],
  reports: [],
}
