import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import '../../slices.ts'
import { allows, isRole, permissions, permits, type Role, roleNames, scopes } from './permissions.ts'

// The permissions of the API contract, restated independently of the code.
const money =
  'checkout-sessions payment-links payment-codes payments payouts internal-transfers financial-accounts financial-transactions receipts refunds provider-kyc'
/** Permissions that are narrower than write and included in it. */
const lesser = ['refunds:propose', 'receipts:send', 'webhooks:resend']
const rest = 'ussd-otps webhooks events access-tokens members'
const readAndWrite = (names: string) => names.split(' ').flatMap((name) => [`${name}:read`, `${name}:write`])

const table: Record<Role, string[]> = {
  owner: [
    ...readAndWrite(`${money} settlements ${rest}`),
    ...readAndWrite('settings personal-data legal-holds'),
    'requests:read',
    ...lesser,
    'balances:read',
    'payouts:approve',
    'refunds:approve',
    'audit:read',
  ],
  admin: [
    ...readAndWrite(`${money} settlements ${rest}`),
    ...readAndWrite('settings personal-data legal-holds'),
    'requests:read',
    ...lesser,
    'balances:read',
    'payouts:approve',
    'refunds:approve',
    'audit:read',
  ],
  developer: [
    ...readAndWrite(`${money} ussd-otps webhooks events access-tokens`),
    ...['settlements:read', 'balances:read', 'settings:read', 'requests:read'],
    ...lesser,
  ],
  finance: [
    ...readAndWrite(`${money} settlements`),
    ...['balances:read', 'settings:read', 'payouts:approve', 'refunds:approve', 'audit:read'],
    ...['refunds:propose', 'receipts:send'],
  ],
  support: [
    ...'checkout-sessions payment-links payment-codes payments receipts refunds webhooks settings'
      .split(' ')
      .map((name) => `${name}:read`),
    ...lesser,
  ],
  viewer: `${money} settlements settings ${rest}`.split(' ').map((name) => `${name}:read`),
}

const ofOperators = ['installation:read', 'installation:write']

/** Returns the permissions that a single scope grants. */
function granted(scope: string): string[] {
  if (scope === '*') return [...table.owner, ...ofOperators]
  if (!scope.endsWith(':write')) return [scope]
  const resource = scope.slice(0, -'write'.length)
  return [scope, `${resource}read`, ...lesser.filter((name) => name.startsWith(resource))]
}

describe('a permission is granted', () => {
  test('exactly as the table says, for every scope, role and permission', () => {
    for (const scope of scopes())
      for (const role of Object.keys(table) as Role[])
        for (const permission of permissions()) {
          const expected = table[role].includes(permission) && granted(scope).includes(permission)
          assert.equal(allows([scope], role, permission), expected, `${scope} ${role} ${permission}`)
        }
  })

  test('by two scopes if either of them grants it', () => {
    for (const first of scopes())
      for (const second of scopes())
        for (const role of Object.keys(table) as Role[])
          for (const permission of permissions()) {
            const expected = allows([first], role, permission) || allows([second], role, permission)
            assert.equal(allows([first, second], role, permission), expected)
          }
  })

  test('never without a scope, by an unknown scope, or under an unknown name', () => {
    for (const role of Object.keys(table) as Role[])
      for (const permission of permissions())
        for (const unknown of [
          [],
          [''],
          ['**'],
          ['*:read'],
          ['payments'],
          ['payments:*'],
          [`${permission} `],
          [permission.toUpperCase()],
        ])
          assert.equal(allows(unknown, role, permission), false)
    for (const nothing of ['', '*', 'payments', 'payments:approve', 'balances:write', 'constructor'])
      assert.equal(allows(['*'], 'owner', nothing), false)
  })
})

test('permissions and roles are exactly those of the contract', () => {
  assert.deepEqual(permissions().sort(), [...table.owner, ...ofOperators].sort())
  assert.deepEqual(scopes().sort(), ['*', ...table.owner, ...ofOperators].sort())
  assert.deepEqual([...roleNames].sort(), Object.keys(table).sort())
  for (const text of ['', 'Owner', 'root', 'constructor', '__proto__']) assert.equal(isRole(text), false)
})

describe('effective permissions, for every combination,', () => {
  const [here, there] = ['space-1', 'space-2']
  const spaceLists = [null, [], [here], [there], [here, there]]
  const networkLists = [null, [], ['10.0.0.0/8'], ['192.0.2.0/24', '10.1.2.3/32'], ['2001:db8::/32']]
  const addresses = ['10.1.2.3', '::ffff:10.1.2.3', '192.0.2.9', '203.0.113.1', '2001:db8::1', 'no address']
  const inNetwork: Record<string, string[]> = {
    '10.0.0.0/8': ['10.1.2.3', '::ffff:10.1.2.3'],
    '192.0.2.0/24': ['192.0.2.9'],
    '10.1.2.3/32': ['10.1.2.3', '::ffff:10.1.2.3'],
    '2001:db8::/32': ['2001:db8::1'],
  }
  const isInList = (networks: string[] | null, address: string) =>
    networks === null || networks.some((network) => inNetwork[network]?.includes(address))

  test('are scopes ∩ role ∩ allow-lists in a Space', () => {
    for (const scope of scopes())
      for (const role of [undefined, ...roleNames])
        for (const spaceIds of spaceLists)
          for (const networks of networkLists)
            for (const address of addresses) {
              const admitted = (spaceIds === null || spaceIds.includes(here)) && isInList(networks, address)
              for (const permission of permissions()) {
                const expected = role !== undefined && admitted && allows([scope], role, permission)
                const isPermitted = permits(
                  { scopes: [scope], spaceIds, networks },
                  { spaceId: here, address, role },
                  permission,
                )
                if (isPermitted !== expected)
                  assert.fail(`${scope} ${role} ${spaceIds} ${networks} ${address} ${permission}`)
              }
            }
  })

  test('are scopes ∩ operator ∩ allow-lists in the installation, which test callers cannot change', () => {
    for (const scope of scopes())
      for (const isOperator of [false, true])
        for (const environment of ['test', 'live'] as const)
          for (const spaceIds of [null, [], [here]])
            for (const networks of [null, ['10.0.0.0/8']])
              for (const address of addresses)
                for (const permission of permissions()) {
                  const expected =
                    isOperator &&
                    spaceIds === null &&
                    isInList(networks, address) &&
                    granted(scope).includes(permission) &&
                    (permission === 'installation:read' ||
                      (permission === 'installation:write' && environment === 'live'))
                  const approach = { spaceId: null, address, isOperator, environment }
                  if (permits({ scopes: [scope], spaceIds, networks }, approach, permission) !== expected)
                    assert.fail(
                      `${scope} ${isOperator} ${environment} ${spaceIds} ${networks} ${address} ${permission}`,
                    )
                }
  })
})
