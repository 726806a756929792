import { isIP } from 'node:net'
import { connect } from 'node:tls'
import { codeOf, messageOf } from '../errors.ts'
import { causeMessage } from './outbound.ts'

/** A server's certificate. `fault`: why clients would refuse it, if they would. */
export type ShownCertificate = { validUntil: Date; fault: string | undefined }

/**
 * Reads a server's certificate without sending anything. For addresses from the operator's settings.
 *
 * @throws an error whose message says what prevented it: no connection, or no TLS
 */
export function readCertificate(
  { host, port }: { host: string; port: number },
  timeoutMs: number,
): Promise<ShownCertificate> {
  return new Promise((resolve, reject) => {
    const socket = connect({
      host,
      port,
      ...(isIP(host) === 0 && { servername: host }),
      // Refused certificates are read too, because the result says what is wrong with them.
      rejectUnauthorized: false,
    })
    const limit = setTimeout(
      () => socket.destroy(new Error(`no answer within ${timeoutMs / 1_000} s`)),
      timeoutMs,
    )
    socket.once('secureConnect', () => {
      const { valid_to: validTo } = socket.getPeerCertificate()
      // `null` if there is none, contrary to the types.
      const fault: unknown = socket.authorizationError
      resolve({ validUntil: new Date(validTo), fault: fault ? faultIn(fault) : undefined })
      socket.destroy()
    })
    socket.once('error', (error) =>
      reject(new Error(causeMessage(error) ?? messageOf(error), { cause: error })),
    )
    socket.once('close', () => clearTimeout(limit))
  })
}

const faultIn = (fault: unknown) => issues[codeOf(fault) || String(fault)] ?? 'clients do not trust it'

const issues: Record<string, string> = {
  CERT_HAS_EXPIRED: 'it has expired',
  CERT_NOT_YET_VALID: 'it is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its issuer is unknown',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the server does not send its intermediate certificates',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its issuer is unknown',
  ERR_TLS_CERT_ALTNAME_INVALID: 'it is for a different host name',
}
