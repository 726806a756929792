import { stat, statfs } from 'node:fs/promises'
import path from 'node:path'
import { codeOf, messageOf } from '@pesewa/values'
import { isInProduction } from '../../platform/config.ts'
import { loadCatalogue } from '../../rails/connections/catalogue.ts'
import { readSettings, type Settings, settingDefinitions } from '../../slices.ts'
import { editDistance } from '../nearest.ts'
import { type HealthCheck, type HealthFinding, ok, problem, warning } from './checkup.ts'

type ProcessEnvironment = Record<string, string | undefined>

const ownNames = Object.values(settingDefinitions).map(({ name }) => name)
/** Environment variables that developer commands read. */
const otherNames = ['PESEWA_URL', 'PESEWA_TOKEN', 'PESEWA_SPACE']

/** Returns the checks that need only the environment variables. They never print the values. */
export const environmentChecks = (env: ProcessEnvironment): HealthCheck[] => [
  { name: 'settings', run: async () => checkValues(env) },
  { name: 'names', run: async () => checkNames(env) },
]

function checkValues(env: ProcessEnvironment): HealthFinding {
  try {
    readSettings(env)
  } catch (error) {
    return problem(messageOf(error).replaceAll('\n', '; '), 'Correct them; see docs/reference/settings.md.')
  }
  const count = ownNames.filter((name) => env[name]?.trim()).length
  return ok(`${count} of ${ownNames.length} are set; the others use their defaults`)
}

function checkNames(env: ProcessEnvironment): HealthFinding {
  const likely = Object.keys(env)
    .filter((name) => !ownNames.includes(name) && !otherNames.includes(name))
    .flatMap((name) => {
      const meant = meantBy(name)
      return meant ? [`${name} (did you mean ${meant}?)`] : []
    })
  if (likely.length === 0) return ok('no variable looks like a misspelled setting')
  return warning(`unknown: ${likely.join(', ')}`, 'Correct the name or remove the variable.')
}

/** Returns the setting that a misspelled name probably means, or `undefined` if no setting is similar. */
function meantBy(name: string): string | undefined {
  const plain = (text: string) =>
    text
      .toUpperCase()
      .replace(/^PESEWA_/, '')
      .replaceAll('_', '')
  return ownNames.find((own) => {
    if (plain(own) === plain(name)) return true
    // Short names such as HOME and PATH resemble too many settings.
    return own.length >= 8 && editDistance(own, name, 2) <= (own.length >= 14 ? 2 : 1)
  })
}

/**
 * Returns the checks of how settings work in combination, of the files that contain secrets, and of the data
 * folder.
 */
export const fileChecks = (settings: Settings): HealthCheck[] => [
  { name: 'service', run: async () => checkService(settings) },
  { name: 'secrets', run: () => checkSecrets(settings) },
  { name: 'data folder', run: () => checkDisk(settings.dataDir) },
]

function checkService({ baseUrl, databaseUrl, secretKey, rateLimits }: Settings): HealthFinding {
  if (databaseUrl && !secretKey)
    return problem(
      'SECRET_KEY is not set: serve and work will not start',
      'Set the same SECRET_KEY on every node, with at least 32 random characters.',
    )
  const { protocol, hostname } = URL.parse(baseUrl ?? '') ?? {}
  if (protocol === 'http:' && isInProduction({ baseUrl }))
    return problem(
      'BASE_URL starts with http://: payers’ data is sent unencrypted',
      'Terminate TLS in a proxy, and set BASE_URL to https://…',
    )
  if (rateLimits === 'off')
    return warning(
      'RATE_LIMITS is off: one caller can use all capacity',
      'Remove it unless you are running a benchmark.',
    )
  if (!hostname)
    return warning('BASE_URL is not set: links and callbacks point to this machine', 'Set it to https://…')
  return ok(`the public URL is ${baseUrl}`)
}

/** Checks that files with secrets are readable only by their owner. */
async function checkSecrets(settings: Settings): Promise<HealthFinding> {
  const { providersFile, oidcClientSecretFile, masterKeyFile, masterKeyOldFile } = settings
  const named = [providersFile, oidcClientSecretFile, masterKeyFile, masterKeyOldFile].flatMap(
    (file) => file ?? [],
  )
  const ofConnections = settings.providersFile
    ? loadCatalogue(settings.providersFile)
        .connections()
        .flatMap(({ files }) => files?.paths ?? [])
    : []
  const own = settings.secretKey ? [] : [path.join(settings.dataDir, 'secret.key')]
  const files = [...new Set([...own, ...named, ...ofConnections])]
  const found = await Promise.all(
    files.map(async (file) => ({ file, mode: await readMode(file), isOwn: own.includes(file) })),
  )
  const missing = found.filter(({ mode, isOwn }) => mode === undefined && !isOwn)
  if (missing.length > 0)
    return problem(
      `${listed(missing)} cannot be read`,
      'Make sure that each file exists and that the service’s user can read it.',
    )
  const open = found.filter(({ mode = 0 }) => (mode & 0o077) !== 0)
  if (open.length > 0)
    return problem(
      `other users on this machine can read ${listed(open)}`,
      `chmod 600 ${open.map(({ file }) => file).join(' ')}`,
    )
  const there = found.filter(({ mode }) => mode !== undefined).length
  return ok(
    there === 0
      ? 'no secret files yet'
      : `${there} ${there === 1 ? 'file' : 'files'}, readable only by the owner`,
  )
}

const listed = (files: { file: string }[]) => files.map(({ file }) => file).join(', ')

async function readMode(file: string): Promise<number | undefined> {
  try {
    return (await stat(file)).mode
  } catch {
    return undefined
  }
}

const gigabyte = 1_000_000_000n
const littleSpace = 1n * gigabyte // free space of DATA_DIR below which `pesewa doctor` reports a problem, in bytes
const someSpace = 5n * gigabyte // free space of DATA_DIR below which `pesewa doctor` warns, in bytes

async function checkDisk(dataDir: string): Promise<HealthFinding> {
  const folder = path.resolve(dataDir)
  try {
    const { bavail, bsize } = await statfs(folder, { bigint: true })
    return checkFreeSpace(folder, bavail * bsize)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
    return warning(
      `${folder} does not exist yet`,
      'It is created on the first start. If your data is in another folder, set DATA_DIR.',
    )
  }
}

/**
 * Checks whether there is enough free space in the data folder.
 *
 * @param free free space in bytes
 */
export function checkFreeSpace(folder: string, free: bigint): HealthFinding {
  const says = `${sizeText(free)} free in ${folder}`
  if (free < littleSpace) return problem(says, 'Free disk space: a full disk stops the service.')
  return free < someSpace ? warning(says, 'Free disk space or enlarge the disk.') : ok(says)
}

/** Formats a number of bytes in decimal units, such as `12.3 GB`. */
export function sizeText(bytes: bigint): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'] as const
  let [tenths, unit] = [bytes * 10n, 0]
  while (tenths >= 10_000n && unit < units.length - 1) {
    tenths /= 1_000n
    unit++
  }
  return `${tenths / 10n}${unit > 0 && tenths < 1_000n ? `.${tenths % 10n}` : ''} ${units[unit]}`
}
