import { stat, statfs } from 'node:fs/promises'
import path from 'node:path'
import { isInProduction } from '../../platform/config.ts'
import { codeOf, messageOf } from '../../platform/errors.ts'
import { loadCatalogue } from '../../providers/catalogue.ts'
import { readSettings, type Settings, settingDefinitions } from '../../slices.ts'
import { type HealthCheck, type HealthFinding, ok, problem, warning } from './checkup.ts'

type ProcessEnvironment = Record<string, string | undefined>

const ownNames = Object.values(settingDefinitions).map(({ name }) => name)
/** Read by commands of developers. */
const otherNames = ['PESEWA_URL', 'PESEWA_TOKEN', 'PESEWA_SPACE']

/** What can be said of the settings alone. Values are never shown. */
export const environmentChecks = (env: ProcessEnvironment): HealthCheck[] => [
  { name: 'settings', run: async () => checkValues(env) },
  { name: 'names', run: async () => checkNames(env) },
]

function checkValues(env: ProcessEnvironment): HealthFinding {
  try {
    readSettings(env)
  } catch (error) {
    return problem(messageOf(error).replaceAll('\n', '; '), 'Correct them: docs/reference/settings.md.')
  }
  const count = ownNames.filter((name) => env[name]?.trim()).length
  return ok(`${count} of ${ownNames.length} are set, the rest are at their defaults`)
}

function checkNames(env: ProcessEnvironment): HealthFinding {
  const likely = Object.keys(env)
    .filter((name) => !ownNames.includes(name) && !otherNames.includes(name))
    .flatMap((name) => {
      const meant = meantBy(name)
      return meant ? [`${name} (${meant}?)`] : []
    })
  if (likely.length === 0) return ok('no variable looks like a misspelt setting')
  return warning(`nothing reads ${likely.join(', ')}`, 'Rename it, or remove it.')
}

/** The setting whose name somebody may have meant, or nothing. */
function meantBy(name: string): string | undefined {
  const plain = (text: string) =>
    text
      .toUpperCase()
      .replace(/^PESEWA_/, '')
      .replaceAll('_', '')
  return ownNames.find((own) => {
    if (plain(own) === plain(name)) return true
    // Of a short name, much else is near: HOME, PATH.
    return own.length >= 8 && distance(own, name) <= (own.length >= 14 ? 2 : 1)
  })
}

/** How many letters have to be put in, left out or changed, by Levenshtein. */
function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return Number.POSITIVE_INFINITY
  let row = Array.from({ length: b.length + 1 }, (_, place) => place)
  for (const letter of a) {
    const next = [(row[0] ?? 0) + 1]
    for (const [place, other] of [...b].entries())
      next.push(
        Math.min(
          (next[place] ?? 0) + 1,
          (row[place + 1] ?? 0) + 1,
          (row[place] ?? 0) + (letter === other ? 0 : 1),
        ),
      )
    row = next
  }
  return row[b.length] ?? 0
}

/** What can be said of settings that are good one by one: how they fit together, and the files that they name. */
export const fileChecks = (settings: Settings): HealthCheck[] => [
  { name: 'service', run: async () => checkService(settings) },
  { name: 'secrets', run: () => checkSecrets(settings) },
  { name: 'data folder', run: () => checkDisk(settings.dataDir) },
]

function checkService({ baseUrl, databaseUrl, secretKey, rateLimits }: Settings): HealthFinding {
  if (databaseUrl && !secretKey)
    return problem(
      'SECRET_KEY is not set: serve and work do not start',
      'Set the same SECRET_KEY on every node, at least 32 random characters.',
    )
  const { protocol, hostname } = URL.parse(baseUrl ?? '') ?? {}
  if (protocol === 'http:' && isInProduction({ baseUrl }))
    return problem(
      'BASE_URL begins with http://: whoever is in between reads payers’ data',
      'Let a proxy end TLS, and set BASE_URL to https://…',
    )
  if (rateLimits === 'off')
    return warning('RATE_LIMITS is off: one caller can take all there is', 'Remove it, outside benchmarks.')
  if (!hostname)
    return warning('BASE_URL is not set: links and callbacks name this machine', 'Set it to https://…')
  return ok(`reached at ${baseUrl}`)
}

/** Files with secrets are their owner's alone. */
async function checkSecrets(settings: Settings): Promise<HealthFinding> {
  const named = [settings.providersFile, settings.oidcClientSecretFile].flatMap((file) => file ?? [])
  const ofConnections = settings.providersFile
    ? loadCatalogue(settings.providersFile)
        .connections()
        .flatMap(({ files }) => files?.paths ?? [])
    : []
  const own = settings.secretKey ? [] : [path.join(settings.dataDir, 'secret.key')]
  const files = [...new Set([...own, ...named, ...ofConnections])]
  const found = await Promise.all(
    files.map(async (file) => ({ file, mode: await modeOf(file), isOwn: own.includes(file) })),
  )
  const missing = found.filter(({ mode, isOwn }) => mode === undefined && !isOwn)
  if (missing.length > 0)
    return problem(`${listed(missing)} cannot be read`, 'Put it there, readable by the service’s user.')
  const open = found.filter(({ mode = 0 }) => (mode & 0o077) !== 0)
  if (open.length > 0)
    return problem(
      `${listed(open)} can be read by other users of this machine`,
      `chmod 600 ${open.map(({ file }) => file).join(' ')}`,
    )
  const there = found.filter(({ mode }) => mode !== undefined).length
  return ok(
    there === 0 ? 'in no file yet' : `in ${there} ${there === 1 ? 'file' : 'files'}, for the owner alone`,
  )
}

const listed = (files: { file: string }[]) => files.map(({ file }) => file).join(', ')

async function modeOf(file: string): Promise<number | undefined> {
  try {
    return (await stat(file)).mode
  } catch {
    return undefined
  }
}

const gigabyte = 1_000_000_000n
const littleSpace = 1n * gigabyte // limit: free space of DATA_DIR below which `pesewa doctor` reports a problem, in bytes
const someSpace = 5n * gigabyte // limit: free space of DATA_DIR below which `pesewa doctor` warns, in bytes

async function checkDisk(dataDir: string): Promise<HealthFinding> {
  const folder = path.resolve(dataDir)
  try {
    const { bavail, bsize } = await statfs(folder, { bigint: true })
    return judgeSpace(folder, bavail * bsize)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
    return warning(
      `${folder} is not there yet`,
      'It is made at the first start; set DATA_DIR if it is elsewhere.',
    )
  }
}

/** @param free in bytes */
export function judgeSpace(folder: string, free: bigint): HealthFinding {
  const says = `${sizeText(free)} free in ${folder}`
  if (free < littleSpace) return problem(says, 'Free some: a full disk stops the service.')
  return free < someSpace ? warning(says, 'Free some, or make the disk larger.') : ok(says)
}

/** In decimal units: `12.3 GB`. */
export function sizeText(bytes: bigint): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'] as const
  let [tenths, unit] = [bytes * 10n, 0]
  while (tenths >= 10_000n && unit < units.length - 1) {
    tenths /= 1_000n
    unit++
  }
  return `${tenths / 10n}${unit > 0 && tenths < 1_000n ? `.${tenths % 10n}` : ''} ${units[unit]}`
}
