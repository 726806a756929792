import type { Route } from '../../packages/server/src/platform/http/commands/route.ts'
import { moduleOf } from './markdown.ts'
import { documentOf, interfaceOf, methodsOf, type SdkMethod } from './sdk-methods.ts'

/** Generates the interfaces of the client's resources and the parameter types of their methods. */
export function writeSdkResources(routes: Route[]): string {
  const methods = methodsOf(routes, 'token')
  return moduleOf(
    'the routes',
    "import type { Call, List } from '../call.ts'",
    "import type { CallOptions } from '../options.ts'",
    "import type { StreamOptions } from '../stream.ts'",
    "import type { verifyWebhook } from '../webhooks.ts'",
    typeImport(routes, methods),
    ...interfacesOf(methods),
    `/** The service's calls, grouped by resource. */\nexport interface Resources {\n${groupsOf(methods)
      .map(([name]) => `  readonly ${name}: ${interfaceOf([name])}\n`)
      .join('')}}\n`,
  )
}

/** Generates the tables that create the methods, one per resource so that bundlers can drop unused ones. */
export function writeSdkOperations(routes: Route[]): string {
  const methods = methodsOf(routes, 'token')
  const groups = groupsOf(methods)
  const interfaces = groups.map(([name]) => interfaceOf([name])).sort()
  return moduleOf(
    'the routes',
    "import type { Resource } from '../connect.ts'",
    "import { streamMethod } from '../stream.ts'",
    `import type {\n${interfaces.map((each) => `  ${each},\n`).join('')}} from './resources.ts'\n`,
    '// Method, path and parameters: `b` for a body, `q` for a query, `l` if the result is a list.\n',
    ...tablesOf(methods),
    `export const operations = {\n${groups.map(([name]) => `  ${name},\n`).join('')}}\n`,
  )
}

/** Generates the calls that only the console can make, and exports them together with all others. */
export function writeSdkSession(routes: Route[]): string {
  const methods = methodsOf(routes, 'session')
  return moduleOf(
    'the routes',
    "import type { Call } from '../call.ts'",
    "import type { Resource } from '../connect.ts'",
    "import type { CallOptions } from '../options.ts'",
    "import { changesMethod, type StreamOptions } from '../stream.ts'",
    typeImport(routes, methods),
    "export * from './operations.ts'\n",
    ...interfacesOf(methods),
    ...tablesOf(methods),
  )
}

/** Imports the API's types that the methods use. */
function typeImport(routes: Route[], methods: SdkMethod[]): string {
  const used = new Set(
    methods.flatMap(({ declaration, types }) => [declaration, ...types].join(' ').match(/\b[A-Z]\w+/g) ?? []),
  )
  const { components } = documentOf(routes)
  const types = [...Object.keys(components?.schemas ?? {}).filter((name) => name !== 'Error'), 'WebhookEvent']
  const imported = types.filter((name) => used.has(name))
  return `import type {\n${imported.map((type) => `  ${type},`).join('\n')}\n} from './types.ts'\n`
}

const interfacesOf = (methods: SdkMethod[]) => [
  ...[...Map.groupBy(methods, ({ resource }) => resource.join('.'))].map(([name, own]) =>
    interfaceOfMethods(name, own),
  ),
  ...groupsOf(methods).flatMap(([name, inner]) =>
    inner.length === 0
      ? []
      : `export interface ${interfaceOf([name])} {\n${inner.map((each) => `  readonly ${each}: ${interfaceOf([name, each])}\n`).join('')}}\n`,
  ),
]

const interfaceOfMethods = (name: string, methods: SdkMethod[]) =>
  `${methods.flatMap(({ types }) => types).join('')}export interface ${interfaceOf(name.split('.'))} {\n${methods
    .map(({ declaration }) => declaration)
    .join('\n')}\n}\n`

const tablesOf = (methods: SdkMethod[]) =>
  groupsOf(methods).map(([name]) => {
    const own = methods.filter(({ resource }) => resource[0] === name)
    const added = own.filter(({ entry }) => !entry).map((method) => `'${method.name}'`)
    const type = added.length > 0 ? `Omit<${interfaceOf([name])}, ${added.join(' | ')}>` : interfaceOf([name])
    return `export const ${name}: Resource<${type}> = ${tableOf(own.filter(({ entry }) => entry))}\n`
  })

/** Lists resources and their nested resources. */
function groupsOf(methods: SdkMethod[]): [name: string, inner: string[]][] {
  const groups = Map.groupBy(methods, ({ resource }) => resource[0] ?? '')
  return [...groups].map(([name, own]) => [
    name,
    [...new Set(own.flatMap(({ resource }) => resource[1] ?? []))],
  ])
}

/** Formats the table of one resource. */
function tableOf(methods: SdkMethod[], depth = 1): string {
  const indent = '  '.repeat(depth)
  const lines = [...Map.groupBy(methods, ({ resource, name }) => resource[depth] ?? name)].map(
    ([name, own]) => {
      const [first] = own
      if (first?.resource[depth] !== undefined) return `${indent}${name}: ${tableOf(own, depth + 1)}`
      if (own.length > 1) throw new Error(`two methods are called ${first?.resource.join('.')}.${name}`)
      return `${indent}${name}: ${first?.entry}`
    },
  )
  return `{\n${lines.join(',\n')},\n${'  '.repeat(depth - 1)}}`
}
