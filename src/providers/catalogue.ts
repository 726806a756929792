import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import Type from 'typebox'
import { Compile } from 'typebox/compile'
import { findCountry } from '../countries/countries.ts'
import { isSupportedCurrency } from '../countries/money.ts'
import { messageOf } from '../platform/errors.ts'
import { fieldsOf } from '../platform/fields.ts'
import { CatalogueError } from './catalogue-error.ts'
import {
  connectionFault,
  connectionShapes,
  connectionsShape,
  type ProviderConnection,
  providersOf,
  shareFault,
} from './connections.ts'
import { protocolNames, protocolOf } from './protocols/protocols.ts'
import { type Provider, type ProviderType, providerShape } from './provider.ts'
import { fileFieldsOf, fillIn, versionOf } from './secret-files.ts'
import { type ProviderLogo, readLogos, tilesShape } from './tiles.ts'

export type Catalogue = {
  /** Providers of a type, active or not, by id, ascending; only those of a country when one is named. */
  list(type: ProviderType, country?: string): Provider[]
  /** Every provider, by id, ascending. */
  all(): Provider[]
  /** The provider of exactly this id, active or not. */
  find(providerId: string): Provider | undefined
  /** The operator's picture of a provider, where there is one. */
  logoOf(providerId: string): ProviderLogo | undefined
  logos(): ProviderLogo[]
  /** How the operator reaches the real rail of a provider, secrets included, in their order of preference. */
  connectionsOf(providerId: string): readonly ProviderConnection[]
  /** All of them, in the order of the file. */
  connections(): readonly ProviderConnection[]
}

/**
 * The providers shipped with the program, and those of an operator's own file of the same form,
 * `{ "providers": [...], "tiles": {...}, "connections": {"mtn-gh": {...}} }`. An entry there with a shipped id replaces that entry as a
 * whole.
 *
 * @throws CatalogueError when a file cannot be read, or contains anything but providers, tiles and connections; no message ever
 * shows a value of a connection
 */
export function loadCatalogue(extraFile?: string): Catalogue {
  const shipped = fileURLToPath(new URL('catalogue.json', import.meta.url))
  const files = extraFile === undefined ? [shipped] : [shipped, extraFile]
  const contents = files.map(readProviders)
  const byId = new Map(
    contents.flatMap(({ providers = [] }) => providers).map((provider) => [provider.providerId, provider]),
  )
  const { tiles = {} } = contents.at(-1) ?? {}
  for (const [providerId, { color }] of Object.entries(tiles)) {
    const provider = byId.get(providerId)
    if (!provider)
      throw new CatalogueError(`${extraFile}: tiles.${providerId}: there is no provider of this id`)
    if (color !== undefined) byId.set(providerId, { ...provider, color })
  }
  const logos = readLogos(`${extraFile}`, tiles)
  const sorted = [...byId.values()].toSorted((a, b) => (a.providerId < b.providerId ? -1 : 1))
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
    logoOf: (providerId) => logos.get(providerId),
    logos: () => [...logos.values()],
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
      const fault = connectionFault(connection, byId.get(providerId))
      if (fault)
        throw new CatalogueError(`${file}: connections[${JSON.stringify(connection.name)}]: ${fault}`)
      reached.set(providerId, all)
    }
  for (const [providerId, all] of reached) {
    const fault = shareFault(providerId, all)
    if (fault) throw new CatalogueError(`${file}: connections: ${fault}`)
  }
  return connections
}

/** @param fields of a connection whose protocol is one of ours */
function readConnection(file: string, name: string, written: { protocol: string }): ProviderConnection {
  const { protocol } = written
  const check = (fields: object): ProviderConnection => {
    const [error] = connectionShapes.get(protocol)?.Errors(fields) ?? []
    if (error) throw new CatalogueError(`${file}: ${faultOf(['connections', name], error)}`)
    // Every protocol's shape has the common fields; its other fields only its own code reads.
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

function readProviders(file: string) {
  const content = readJson(file)
  if (!fileShape.Check(content)) throw new CatalogueError(`${file}: ${shapeFault(content)}`)
  const seen = new Set<string>()
  for (const [index, provider] of (content.providers ?? []).entries()) {
    const fault = seen.has(provider.providerId)
      ? 'providerId is already taken in this file'
      : (placeFault(provider) ?? roadFault(provider))
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
    // The parser's own message quotes the text, which may be a secret; only the place is shown.
    const [, place = ''] = / (at position .*)$/s.exec(messageOf(error)) ?? []
    throw new CatalogueError(oneLine(`${file}: is not valid JSON ${place}`).trim())
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new CatalogueError(`${file}: ${oneLine(messageOf(error))}`, { cause: error })
  }
}

function placeFault({ country, currencies }: Provider): string | undefined {
  if (!findCountry(country)) return `country ${JSON.stringify(country)} is not supported`
  const index = currencies.findIndex((currency) => !isSupportedCurrency(currency))
  if (index >= 0) return `currencies[${index}] ${JSON.stringify(currencies[index])} is not supported`
  return undefined
}

function roadFault({ reachedBy = [] }: Provider): string | undefined {
  const index = reachedBy.findIndex(({ protocol }) => !protocolNames.includes(protocol))
  return index < 0 ? undefined : `reachedBy[${index}].protocol must be one of ${protocolNames.join(', ')}`
}

/** The first fault of the shape, in words: `providers[0] ("m17"): status.active must be boolean`. */
function shapeFault(content: unknown): string {
  const [error] = fileShape.Errors(content)
  if (!error) throw new Error('a content that fails the check must have a fault')
  const [, list, place] = error.instancePath.split('/')
  if (list !== 'providers' || place === undefined) return faultOf([], error)
  const index = Number(place)
  const { providers } = fieldsOf(content)
  const entry = Array.isArray(providers) ? providers[index] : undefined
  return `${entryName(index, entry)}: ${faultOf([], error, 2)}`
}

/** A fault and its field, named from `within` on, without the first `skipped` steps. */
function faultOf(within: string[], error: ShapeError, skipped = 0): string {
  const path = error.instancePath.split('/').slice(1).map(unescaped)
  if (error.keyword === 'required') path.push(error.params.requiredProperties[0] ?? '')
  const field = fieldName([...within, ...path.slice(skipped)])
  return [field, faultWords(error)].filter(Boolean).join(' ')
}

type ShapeError = ReturnType<typeof fileShape.Errors>[number]

function faultWords(error: ShapeError): string {
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

/** JSON Pointer's escapes. */
const unescaped = (step: string) => step.replaceAll('~1', '/').replaceAll('~0', '~')

const oneLine = (message: string) => message.replace(/\s+/g, ' ')
