/** The parts of a call that determine the name of its SDK method. */
export type CallAddress = { method: string; path: string; isList: boolean }

/** Tags of resources that only signed-in users can access. Their calls do not accept a token. */
export const sessionTags = ['sessions', 'sign-ins', 'passkeys', 'totp', 'changes']

/** Tags of resources whose methods are named after the whole path: `signIn.passkeyBegin`. */
const signInTags = ['sign-in', 'step-up']

/** Names of SDK methods that are exceptions to the naming rule. */
const names: Record<string, string> = {
  'POST /v1/test-clock': 'move',
  'POST /v1/installation/spaces/{id}/fees': 'setFees',
  'POST /v1/installation/spaces/{id}/fees/remove': 'removeFees',
  'POST /v1/installation/spaces/{id}/rules': 'setRules',
  'POST /v1/installation/spaces/{id}/settlements': 'bookSettlement',
  'POST /v1/installation/users/{id}/rights': 'setRights',
  'POST /v1/installation/spaces/{id}/members': 'setMember',
  'POST /v1/installation/spaces/{id}/members/remove': 'removeMember',
}

/**
 * Returns the name of the SDK method for a call: `payouts.approve` for `POST /v1/payouts/{id}/approve`, and
 * `installation.spaces.list` for `GET /v1/installation/spaces`.
 */
export function sdkMethodOf({ method, path, isList }: CallAddress): { resource: string[]; name: string } {
  const segments = path.split('/').slice(2)
  const isGrouped =
    segments[0] === 'installation' || segments[0] === 'reports' || segments[0] === 'reconciliation'
  const depth = segments[0] === 'installation' ? 2 : 1
  const resource = segments.slice(0, depth).map(camel)
  const rest = segments.slice(depth)
  const action = rest.filter((segment) => !segment.startsWith('{')).at(-1)
  const given = names[`${method} ${path}`]
  if (given) return { resource, name: given }
  if (signInTags.includes(segments[0] ?? '')) return { resource, name: camel(rest.join('-')) }
  if (action) return { resource, name: camel(action) }
  if (isList) return { resource, name: 'list' }
  const usual: Record<string, string> = { GET: 'retrieve', POST: 'create', PATCH: 'update', DELETE: 'delete' }
  return { resource, name: isGrouped && depth === 1 ? camel(segments[1] ?? '') : (usual[method] ?? method) }
}

const camel = (text: string) => text.replace(/[-_](\w)/g, (_, letter: string) => letter.toUpperCase())
