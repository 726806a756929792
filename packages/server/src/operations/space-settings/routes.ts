import { keysOf } from '@pesewa/values'
import type { Static } from 'typebox'
import { change, type Route, read } from '../../platform/http/commands/route.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Catalogue } from '../../rails/connections/catalogue.ts'
import { writeAuditEntry } from '../../tenants/spaces/audit.ts'
import { deciderOf } from '../../tenants/spaces/deciders.ts'
import { settings, settingsChange } from './shapes.ts'
import { changeSettings, describeSettings, validateSettings } from './space-settings.ts'

const url = '/v1/settings'

type SettingsParts = Pick<Platform, 'db' | 'baseUrl' | 'clock'> & { catalogue: Catalogue }

/** Routes for a Space's own settings, which are separate for each environment. */
export const settingsRoutes = ({ db, baseUrl, clock, catalogue }: SettingsParts): Route[] => [
  read({
    url,
    permission: 'settings:read',
    summary: 'Retrieve the settings of the Space',
    result: settings,
    read: ({ scope }) => describeSettings(db, baseUrl, scope, clock.now(scope)),
  }),
  change({
    url,
    permission: 'settings:write',
    summary: 'Update the settings of the Space',
    about: 'In the environment of the token.',
    needsStepUp: true,
    result: settings,
    body: settingsChange,
    example: {
      brand: { name: 'Country Cloth', color: '#0f6b4f', supportEmail: 'help@shop.example' },
      payoutApprovalAbove: [{ currency: 'SLE', value: 100_000 }],
    },
    rules: [
      {
        about: ['payoutApprovalAbove[].currency', 'refundApprovalAbove[].currency'],
        says: 'Each currency must be supported and listed only once.',
      },
      {
        about: ['brand.logo'],
        says: '`brand.logo` must be a PNG of at most 64 KiB and 1024 × 1024 pixels.',
      },
      { about: ['brand.name'], says: '`brand.name` must not resemble the name of a provider.' },
      { about: ['brand.supportPhone'], says: '`brand.supportPhone` must be a valid phone number.' },
    ],
    validate: (tx, { scope, body }, issues) => validateSettings(tx, catalogue, scope, body, issues),
    write: async (tx, { scope, body: { reason = 'changed', ...wanted }, userId, now }) => {
      const before = await describeSettings(tx, baseUrl, scope, now)
      await changeSettings(tx, catalogue, scope, wanted, { userId, at: now })
      const after = await describeSettings(tx, baseUrl, scope, now)
      await writeAuditEntry(tx, scope, await deciderOf(tx, { userId }, reason), {
        action: 'space.set',
        objectType: 'space',
        objectId: scope.spaceId,
        details: changedValues(before, after),
      })
      return after
    },
  }),
]

/** Returns the settings that have changed, with their values before and after the change. */
function changedValues(before: Static<typeof settings>, after: Static<typeof settings>) {
  const names = keysOf(after).filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
  const pick = (from: typeof after) => Object.fromEntries(names.map((name) => [name, from[name]]))
  return { before: pick(before), after: pick(after) }
}
