import { test } from 'node:test'
import { upgradeUnderLoad, withoutBalancers } from './rolling-upgrade.ts'

test(
  'an upgrade from the previous release, and a rolling restart after it, fail no request and lose nothing',
  {
    skip: withoutBalancers,
  },
  (t) => upgradeUnderLoad(t, async ({ url }) => ({ DATABASE_URL: url })),
)
