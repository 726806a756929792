import { execFile } from 'node:child_process'
import { hkdfSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { messageOf } from '@pesewa/values'
import { minSecretLength } from '../setting-values.ts'
import { createVault } from '../vault.ts'

/** Where the master key is. It is derived from `SECRET_KEY` unless the operator has set another one. */
export type MasterKeySource = 'secret_key' | 'file' | 'command'

/** Encrypts the wrapping key. The master key itself may be in a KMS or an HSM, and never in this program. */
export type MasterKey = {
  source: MasterKeySource
  wrap(key: Buffer): Promise<Buffer>
  /** Throws an error if the key was wrapped with another master key. */
  unwrap(wrapped: Buffer): Promise<Buffer>
}

const commandLimitMs = 10_000 // time for a call of MASTER_KEY_COMMAND
const maxOutputBytes = 16_384 // output of MASTER_KEY_COMMAND

const place = 'wrapping key'

const keyFrom = (source: MasterKeySource, read: () => string): MasterKey => {
  // Read each time, so that a file can be replaced while the program runs.
  const vault = () =>
    createVault(Buffer.from(hkdfSync('sha256', read(), 'pesewa', 'master key', 32)).toString('base64'))
  return {
    source,
    wrap: async (key) => vault().lock(place, key),
    unwrap: async (wrapped) => vault().unlock(place, wrapped),
  }
}

const masterKeyFromSecret = (readSecretKey: () => string): MasterKey => keyFrom('secret_key', readSecretKey)

const masterKeyFromFile = (file: string, setting: string): MasterKey =>
  keyFrom('file', () => {
    const text = readKeyFile(file, setting)
    if (text.length < minSecretLength)
      throw new Error(`${setting}: the file must contain at least ${minSecretLength} characters`)
    return text
  })

function readKeyFile(file: string, setting: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw new Error(`${setting}: ${messageOf(error)}`)
  }
}

/**
 * A program that wraps and unwraps keys: it is called with `wrap` or `unwrap`, reads the bytes from standard input, and
 * writes the result to standard output. Its error output is not logged, because it might contain the key.
 */
const masterKeyFromCommand = (program: string, setting: string): MasterKey => {
  const call = (operation: 'wrap' | 'unwrap', input: Buffer) =>
    new Promise<Buffer>((resolve, reject) => {
      const options = { encoding: 'buffer' as const, timeout: commandLimitMs, maxBuffer: maxOutputBytes }
      const child = execFile(program, [operation], options, (error, output) => {
        if (error) reject(new Error(`${setting} failed to ${operation} the key: ${reasonOf(error)}`))
        else if (output.length === 0) reject(new Error(`${setting} returned nothing`))
        else resolve(output)
      })
      // A program that ends without reading its input has failed, which is reported above.
      child.stdin?.on('error', () => {})
      child.stdin?.end(input)
    })
  return { source: 'command', wrap: (key) => call('wrap', key), unwrap: (wrapped) => call('unwrap', wrapped) }
}

/** Describes why a program failed without its output. */
function reasonOf({ code, killed, signal }: { code?: unknown; killed?: boolean; signal?: unknown }): string {
  if (killed) return 'no answer within 10 s'
  return typeof code === 'number' ? `exit code ${code}` : `${code ?? signal ?? 'unknown error'}`
}

type Settings = {
  masterKeyFile?: string | undefined
  masterKeyCommand?: string | undefined
  masterKeyOldFile?: string | undefined
  masterKeyOldCommand?: string | undefined
}

/**
 * Returns the master key, and those that it may have replaced. While a master key is being replaced, nodes can use
 * either, until `pesewa keys rewrap` has been run.
 */
export function masterKeysOf(settings: Settings, readSecretKey: () => string): [MasterKey, ...MasterKey[]] {
  const secret = masterKeyFromSecret(readSecretKey)
  const { masterKeyFile, masterKeyCommand, masterKeyOldFile, masterKeyOldCommand } = settings
  const old = [
    ...(masterKeyOldFile === undefined ? [] : [masterKeyFromFile(masterKeyOldFile, 'MASTER_KEY_OLD_FILE')]),
    ...(masterKeyOldCommand === undefined
      ? []
      : [masterKeyFromCommand(masterKeyOldCommand, 'MASTER_KEY_OLD_COMMAND')]),
  ]
  if (masterKeyFile !== undefined)
    return [masterKeyFromFile(masterKeyFile, 'MASTER_KEY_FILE'), ...old, secret]
  if (masterKeyCommand !== undefined)
    return [masterKeyFromCommand(masterKeyCommand, 'MASTER_KEY_COMMAND'), ...old, secret]
  return [secret, ...old]
}
