import { test } from 'node:test'
import { withoutNginx } from '../support/nginx.ts'
import { upgradeUnderLoad } from './rolling-upgrade.ts'

test(
  'an upgrade from the previous release, and a rolling restart after it, fail no request and lose nothing',
  {
    skip: withoutNginx,
  },
  (t) => upgradeUnderLoad(t, async ({ url }) => ({ DATABASE_URL: url })),
)
