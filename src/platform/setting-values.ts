import ipaddr from 'ipaddr.js'
import { durationMs, parseDuration } from './duration.ts'

// How the text of a setting becomes its value. Each throws, in words that follow the setting's name, what it cannot take.

export const text = (fallback: string) => (given: string | undefined) => given ?? fallback
export const optional = (given: string | undefined) => given

export const whole = (fallback: number, min: number, max: number) => (given: string | undefined) => {
  if (given === undefined) return fallback
  const value = Number(given)
  if (!/^\d+$/.test(given) || value < min || value > max)
    throw new Error(`must be a whole number from ${min} to ${max}`)
  return value
}

export const oneOf =
  <T extends string | undefined>(fallback: T, ...choices: T[]) =>
  (given: string | undefined): T => {
    if (given === undefined) return fallback
    const chosen = choices.find((choice) => choice === given)
    if (chosen === undefined) throw new Error(`must be one of ${choices.join(', ')}`)
    return chosen
  }

export const url = (given: string | undefined) => {
  if (given === undefined) return undefined
  if (!URL.canParse(given) || !/^https?:$/.test(new URL(given).protocol))
    throw new Error('must be an address that begins with http:// or https://')
  return given.replace(/\/+$/, '')
}

export const postgresUrl = (given: string | undefined) => {
  if (given !== undefined && !/^postgres(ql)?:\/\//.test(given))
    throw new Error('must begin with postgres:// or postgresql://')
  return given
}

export const smtpServer = (given: string | undefined) => {
  if (given !== undefined && !(/^smtps?:\/\/[^/]/.test(given) && URL.canParse(given)))
    throw new Error('must be an address that begins with smtp:// or smtps://')
  return given
}

export const sender = (fallback: string) => (given: string | undefined) => {
  if (given !== undefined && !/^(?:[^<>\p{Cc}]*<[^<>\s@]+@[^<>\s@]+>|[^<>\s@]+@[^<>\s@]+)$/u.test(given))
    throw new Error('must be one address, like Pesewa <no-reply@shop.example>')
  return given ?? fallback
}

export const networks = (given: string | undefined) =>
  (given ?? '')
    .split(',')
    .map((network) => network.trim())
    .filter((network) => network !== '')
    .map((network) => {
      if (!ipaddr.isValidCIDR(network) && !ipaddr.isValid(network))
        throw new Error(`"${network}" is no address or network (like 10.0.0.0/8)`)
      return network.includes('/')
        ? network
        : `${network}/${ipaddr.parse(network).kind() === 'ipv4' ? 32 : 128}`
    })

export const durationAtLeast = (fallback: string, min: string) => (given: string | undefined) => {
  const ms = parseDuration(given ?? fallback)
  if (ms === undefined || ms < durationMs(min))
    throw new Error(`must be a duration (like 7d) of at least ${min}`)
  return ms
}

export const minSecretLength = 32

/** Groups of digits as they are dialled: `715`, `384*715`. */
export const secret = (given: string | undefined) => {
  if (given !== undefined && given.length < minSecretLength)
    throw new Error(`must have at least ${minSecretLength} characters`)
  return given
}
