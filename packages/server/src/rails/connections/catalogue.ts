import { readFileSync } from 'node:fs'
import path from 'node:path'
import { type Provider, type ProviderType, providerShape } from '@pesewa/connector-kit'
import { fieldsOf, findCountry, isSupportedCurrency, messageOf } from '@pesewa/values'
import Type from 'typebox'
import { Compile } from 'typebox/compile'
import { CatalogueError } from './catalogue-error.ts'
import {
  connectionShapes,
  connectionsShape,
  findConnectionIssue,
  findShareIssue,
  type ProviderConnection,
  providersOf,
} from './connections.ts'
import { logosOf, type ProviderLogo } from './logos.ts'
import { protocolNames, protocolOf, protocols } from './protocols.ts'
import { fileFieldsOf, fillIn, versionOf } from './secret-files.ts'
import { tilesShape } from './tiles.ts'

export type Catalogue = {
  /**
   * Returns the providers of a type, active or not, in ascending order of id. If a country is given, only those
   * in that country are returned.
   */
  list(type: ProviderType, country?: string): Provider[]
  /** Returns all providers in ascending order of id. */
  all(): Provider[]
  /** Returns the provider with exactly this id, whether or not it is active. */
  find(providerId: string): Provider | undefined
  /**
   * Returns the logo of a provider, or of a card network such as `visa`. Every provider has one; `undefined` means
   * that there is neither a provider nor a card network with this id.
   */
  logoOf(id: string): ProviderLogo | undefined
  /** Returns the logos of all providers and card networks, by id. */
  logos(): ReadonlyMap<string, ProviderLogo>
  /** Returns the operator's live connections to a provider, including secrets, in order of preference. */
  connectionsOf(providerId: string): readonly ProviderConnection[]
  /** Returns all live connections in the order of the operator's file. */
  connections(): readonly ProviderConnection[]
}

/**
 * Loads the providers that ship with the service and those in the operator's own file, which has the same
 * format: `{ "providers": [...], "tiles": {...}, "connections": {"mtn-gh": {...}} }`. An entry in the
 * operator's file completely replaces the shipped entry with the same id.
 *
 * @throws CatalogueError if a file cannot be read or contains anything other than providers, tiles and
 * connections; messages never include values from a connection
 */
export function loadCatalogue(extraFile?: string): Catalogue {
  const contents = [checkProviders('the rails', shippedCatalogue())]
  if (extraFile !== undefined) contents.push(checkProviders(extraFile, readJson(extraFile)))
  const byId = new Map(
    contents.flatMap(({ providers = [] }) => providers).map((provider) => [provider.providerId, provider]),
  )
  const { tiles = {} } = contents.at(-1) ?? {}
  for (const [providerId, { color }] of Object.entries(tiles)) {
    const provider = byId.get(providerId)
    if (provider && color !== undefined) byId.set(providerId, { ...provider, color })
  }
  const sorted = [...byId.values()].toSorted((a, b) => (a.providerId < b.providerId ? -1 : 1))
  const logos = logosOf(`${extraFile}`, sorted, tiles)
  const connections = readConnections(`${extraFile}`, contents.at(-1)?.connections ?? {}, byId)
  const connectionsOf = Map.groupBy(
    connections.flatMap((connection) =>
      providersOf(connection).map((providerId) => ({ providerId, connection })),
    ),
    ({ providerId }) => providerId,
  )
  return {
    list: (type, country) =>
      sorted.filter(
        (provider) => provider.type === type && (country === undefined || provider.country === country),
      ),
    all: () => [...sorted],
    find: (providerId) => byId.get(providerId),
    logoOf: (id) => logos.get(id),
    logos: () => logos,
    connectionsOf: (providerId) => connectionsOf.get(providerId)?.map(({ connection }) => connection) ?? [],
    connections: () => connections,
  }
}

const strict = { additionalProperties: false } as const

const fileShape = Compile(
  Type.Object(
    {
      providers: Type.Optional(
        Type.Array(Type.Object({ ...providerShape.properties, protocol: Type.Enum(protocolNames) }, strict), {
          maxItems: 1000,
        }),
      ),
      tiles: Type.Optional(tilesShape),
      connections: Type.Optional(connectionsShape),
    },
    strict,
  ),
)

function readConnections(
  file: string,
  written: Record<string, { protocol: string }>,
  byId: Map<string, Provider>,
): ProviderConnection[] {
  const connections = Object.entries(written).map(([name, fields]) => readConnection(file, name, fields))
  const reached = new Map<string, ProviderConnection[]>()
  for (const connection of connections)
    for (const providerId of providersOf(connection)) {
      const all = [...(reached.get(providerId) ?? []), connection]
      const fault = findConnectionIssue(connection, byId.get(providerId))
      if (fault)
        throw new CatalogueError(`${file}: connections[${JSON.stringify(connection.name)}]: ${fault}`)
      reached.set(providerId, all)
    }
  for (const [providerId, all] of reached) {
    const fault = findShareIssue(providerId, all)
    if (fault) throw new CatalogueError(`${file}: connections: ${fault}`)
  }
  return connections
}

/** @param written the fields of a connection whose protocol is supported */
function readConnection(file: string, name: string, written: { protocol: string }): ProviderConnection {
  const { protocol } = written
  const check = (fields: object): ProviderConnection => {
    const [error] = connectionShapes.get(protocol)?.Errors(fields) ?? []
    if (error) throw new CatalogueError(`${file}: ${describeShapeIssue(['connections', name], error)}`)
    // Every protocol's schema includes the common fields. Only the protocol's own code uses the other fields.
    return { name, ...fields } as ProviderConnection
  }
  const fileFields = fileFieldsOf(path.dirname(file), written, protocolOf(written).fields)
  if (fileFields.length === 0) return check(written)
  const read = () => {
    try {
      const { first, second } = fillIn(written, fileFields)
      return { first: check(first), second: second && check(second) }
    } catch (error) {
      const isOfFiles = error instanceof CatalogueError && !error.message.startsWith(file)
      throw isOfFiles ? new CatalogueError(`${file}: connections.${name}.${error.message}`) : error
    }
  }
  const paths = fileFields.map((field) => field.file)
  return { ...read().first, files: { written, paths, read, version: () => versionOf(fileFields) } }
}

/** Returns the providers of all rails in the format of an operator's file. */
function shippedCatalogue(): unknown {
  const providers = protocols.flatMap(({ name: protocol, providers }) =>
    providers.map((provider) => ({ ...provider, protocol, ...reachedByOthers(provider) })),
  )
  return { providers }
}

function reachedByOthers(provider: object): { reachedBy?: object[] } {
  const id = String(fieldsOf(provider).providerId)
  const reachedBy = protocols.flatMap(({ name: protocol, reaches = {} }) => {
    const as = reaches[id]
    return as === undefined ? [] : [{ protocol, ...(as !== null && { as }) }]
  })
  return reachedBy.length > 0 ? { reachedBy } : {}
}

/** Checks the content of a file, which must contain only providers, tiles and connections. */
function checkProviders(file: string, content: unknown) {
  if (!fileShape.Check(content)) throw new CatalogueError(`${file}: ${firstShapeIssue(content)}`)
  const seen = new Set<string>()
  for (const [index, provider] of (content.providers ?? []).entries()) {
    const fault = seen.has(provider.providerId)
      ? 'providerId is used more than once in this file'
      : (findCountryIssue(provider) ?? findProtocolIssue(provider))
    if (fault) throw new CatalogueError(`${file}: ${entryName(index, provider)}: ${fault}`)
    seen.add(provider.providerId)
  }
  return content
}

function readJson(file: string): unknown {
  const text = readText(file)
  try {
    return JSON.parse(text)
  } catch (error) {
    // The parser's message quotes the text, which may contain secrets, so this message contains only the
    // position.
    const [, place = ''] = / (at position .*)$/s.exec(messageOf(error)) ?? []
    throw new CatalogueError(oneLine(`${file} is not valid JSON ${place}`).trim())
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new CatalogueError(`${file}: ${oneLine(messageOf(error))}`, { cause: error })
  }
}

function findCountryIssue({ country, currencies }: Provider): string | undefined {
  if (!findCountry(country)) return `country ${JSON.stringify(country)} is not supported`
  const index = currencies.findIndex((currency) => !isSupportedCurrency(currency))
  if (index >= 0) return `currencies[${index}] ${JSON.stringify(currencies[index])} is not supported`
  return undefined
}

function findProtocolIssue({ reachedBy = [] }: Provider): string | undefined {
  const index = reachedBy.findIndex(({ protocol }) => !protocolNames.includes(protocol))
  return index < 0 ? undefined : `reachedBy[${index}].protocol must be one of ${protocolNames.join(', ')}`
}

/**
 * Returns a description of the first schema error, such as `providers[0] ("m17"): status.active must be
 * boolean`.
 */
function firstShapeIssue(content: unknown): string {
  const [error] = fileShape.Errors(content)
  if (!error) throw new Error('content that fails validation has no schema error')
  const [, list, place] = error.instancePath.split('/')
  if (list !== 'providers' || place === undefined) return describeShapeIssue([], error)
  const index = Number(place)
  const { providers } = fieldsOf(content)
  const entry = Array.isArray(providers) ? providers[index] : undefined
  return `${entryName(index, entry)}: ${describeShapeIssue([], error, 2)}`
}

/**
 * Describes a schema error, beginning with the path of the field: `within`, followed by the error's own path
 * without its first `skipped` steps.
 */
function describeShapeIssue(within: string[], error: ShapeError, skipped = 0): string {
  const path = error.instancePath.split('/').slice(1).map(unescaped)
  if (error.keyword === 'required') path.push(error.params.requiredProperties[0] ?? '')
  const field = fieldName([...within, ...path.slice(skipped)])
  return [field, shapeIssueText(error)].filter(Boolean).join(' ')
}

type ShapeError = ReturnType<typeof fileShape.Errors>[number]

function shapeIssueText(error: ShapeError): string {
  if (error.keyword === 'required') return 'is missing'
  if (error.keyword === 'boolean') return 'is not a known field'
  if (error.keyword === 'enum') return `must be one of ${error.params.allowedValues.join(', ')}`
  return oneLine(error.message)
}

function entryName(index: number, entry: unknown): string {
  const id = fieldsOf(entry).providerId
  return typeof id === 'string' ? `providers[${index}] (${JSON.stringify(id)})` : `providers[${index}]`
}

const fieldName = (path: string[]) => {
  const steps = path.map((step) => (/^[0-9]+$/.test(step) ? `[${step}]` : `.${step}`))
  return oneLine(steps.join('')).replace(/^\./, '')
}

/** Reverses the escaping of a JSON Pointer step. */
const unescaped = (step: string) => step.replaceAll('~1', '/').replaceAll('~0', '~')

const oneLine = (message: string) => message.replace(/\s+/g, ' ')
