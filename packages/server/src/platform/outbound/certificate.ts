import { isIP } from 'node:net'
import { connect } from 'node:tls'
import { causeMessage, codeOf, messageOf } from '@pesewa/values'

/**
 * A server's certificate. `fault` is the reason that clients would reject it; `undefined` if they would accept
 * it.
 */
export type ShownCertificate = { validUntil: Date; fault: string | undefined }

/**
 * Reads the certificate of a server without sending it any application data. The host must come from the
 * operator's settings.
 *
 * @throws an error whose message says why there is no certificate: the connection failed, or the server does
 * not use TLS
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
      // Certificates that clients would reject are read, too, because the result says what is wrong with them.
      rejectUnauthorized: false,
    })
    const limit = setTimeout(
      () => socket.destroy(new Error(`no answer within ${timeoutMs / 1_000} s`)),
      timeoutMs,
    )
    socket.once('secureConnect', () => {
      const { valid_to: validTo } = socket.getPeerCertificate()
      // Contrary to the types, this is `null` if there is no certificate.
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
