import ipaddr from 'ipaddr.js'
import { durationMs, parseDuration } from './duration.ts'

// Parsers for the values of settings. If a value is invalid, the parser throws an error whose message continues
// a sentence that begins with the name of the setting.

type Value = string | undefined

export const text = (fallback: string) => (value: Value) => value ?? fallback
export const optional = (value: Value) => value

export const whole = (fallback: number, min: number, max: number) => (value: Value) => {
  const number = value === undefined ? fallback : Number(value)
  if (!/^\d+$/.test(value ?? '0') || number < min || number > max)
    throw new Error(`must be a whole number from ${min} to ${max}`)
  return number
}

export const ratio = (fallback: number) => (value: Value) => {
  const number = value === undefined ? fallback : Number(value)
  if (!(number >= 0 && number <= 1) || value === '') throw new Error('must be a number from 0 to 1')
  return number
}

/** Parses HTTP headers of the form `name=value,name=value`, with percent-encoded values. */
export function headers(value: Value): Record<string, string> | undefined {
  if (value === undefined) return undefined
  const pairs = value.split(',').filter((pair) => pair.trim() !== '')
  return Object.fromEntries(
    pairs.map((pair) => {
      const [, name = '', text = ''] = /^\s*([\w-]+)\s*=\s*([!-~]+)\s*$/.exec(pair) ?? []
      const isValid = name !== '' && /^(?:[^%]|%[0-9a-f]{2})*$/i.test(text)
      if (!isValid) throw new Error('must be name=value pairs with percent-encoded values, comma-separated')
      return [name, decodeURIComponent(text)]
    }),
  )
}

/** Number of processes: a number, or `auto`, which depends on the machine. */
export type ProcessCount = number | 'auto'

export const maxProcesses = 64 // limit: processes of one node

export function processes(value: Value): ProcessCount | undefined {
  if (value === undefined || value === 'auto') return value
  const count = /^\d+$/.test(value) ? Number(value) : 0
  if (count < 1 || count > maxProcesses)
    throw new Error(`must be a whole number from 1 to ${maxProcesses}, or auto`)
  return count
}

export const oneOf =
  <T extends Value>(fallback: T, ...choices: T[]) =>
  (value: Value): T => {
    if (value === undefined) return fallback
    const chosen = choices.find((choice) => choice === value)
    if (chosen === undefined) throw new Error(`must be one of ${choices.join(', ')}`)
    return chosen
  }

/** Returns a parser that accepts a missing value, or any text for which `isSound` returns true. */
const checkedText = (isSound: (value: string) => boolean, fault: string) => (value: Value) => {
  if (value !== undefined && !isSound(value)) throw new Error(`must ${fault}`)
  return value
}

const webAddress = checkedText(
  (value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol),
  'be a URL that begins with http:// or https://',
)
export const url = (value: Value) => webAddress(value)?.replace(/\/+$/, '')

/**
 * The URL is kept exactly as written, because the identity provider identifies itself by this text. Secrets are
 * sent to it, so plain http is allowed only on this machine.
 */
export const identityProvider = checkedText((value) => {
  const { protocol, hostname, search, hash, username, password } = URL.parse(value) ?? {}
  const isSafe = protocol === 'https:' || (protocol === 'http:' && isThisMachine(`${hostname}`))
  return isSafe && !search && !hash && !username && !password
}, 'be a URL that begins with https://, without a query')

export const isThisMachine = (host: string) => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(host)

export const postgresUrl = checkedText(
  (value) => /^postgres(ql)?:\/\//.test(value),
  'begin with postgres:// or postgresql://',
)

export const redisUrls = checkedText(
  (value) => value.split(',').every((url) => /^rediss?:\/\/[^/]/.test(url) && URL.canParse(url)),
  'be URLs that begin with redis:// or rediss://, separated by commas',
)

export const smtpServer = checkedText(
  (value) => /^smtps?:\/\/[^/]/.test(value) && URL.canParse(value),
  'be a URL that begins with smtp:// or smtps://',
)

const mailbox = checkedText(
  (value) => /^(?:[^<>\p{Cc}]*<[^<>\s@]+@[^<>\s@]+>|[^<>\s@]+@[^<>\s@]+)$/u.test(value),
  'be one email address, such as Pesewa <no-reply@shop.example>',
)
export const sender = (fallback: string) => (value: Value) => mailbox(value) ?? fallback

export const networks = (value: Value) =>
  (value ?? '')
    .split(',')
    .map((network) => network.trim())
    .filter((network) => network !== '')
    .map((network) => {
      if (!ipaddr.isValidCIDR(network) && !ipaddr.isValid(network))
        throw new Error(
          `contains "${network}", which is not a valid address or network; use CIDR notation, such as 10.0.0.0/8`,
        )
      return network.includes('/')
        ? network
        : `${network}/${ipaddr.parse(network).kind() === 'ipv4' ? 32 : 128}`
    })

export const durationAtLeast = (fallback: string, min: string) => (value: Value) => {
  const ms = parseDuration(value ?? fallback)
  if (ms === undefined || ms < durationMs(min))
    throw new Error(`must be a duration, such as 30d, of at least ${min}`)
  return ms
}

export const minSecretLength = 32

export const secret = checkedText(
  (value) => value.length >= minSecretLength,
  `be at least ${minSecretLength} characters long`,
)
