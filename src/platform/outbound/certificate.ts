import { isIP } from 'node:net'
import { connect } from 'node:tls'
import { codeOf, messageOf } from '../errors.ts'
import { causeOf } from './outbound.ts'

/** The certificate that a server shows. `fault`: why clients refuse it, if they do. */
export type ShownCertificate = { validUntil: Date; fault: string | undefined }

/**
 * Looks at the certificate of a server, sends nothing and closes. For addresses of the operator's settings.
 *
 * @throws an error whose message says what was in the way: no connection, or no TLS
 */
export function lookAtCertificate(
  { host, port }: { host: string; port: number },
  timeoutMs: number,
): Promise<ShownCertificate> {
  return new Promise((resolve, reject) => {
    const socket = connect({
      host,
      port,
      ...(isIP(host) === 0 && { servername: host }),
      // One that is refused is looked at, too: how it is wrong is what is asked.
      rejectUnauthorized: false,
    })
    const limit = setTimeout(
      () => socket.destroy(new Error(`no answer within ${timeoutMs / 1_000} s`)),
      timeoutMs,
    )
    socket.once('secureConnect', () => {
      const { valid_to: validTo } = socket.getPeerCertificate()
      // `null` where there is none, whatever the types say.
      const fault: unknown = socket.authorizationError
      resolve({ validUntil: new Date(validTo), fault: fault ? faultIn(fault) : undefined })
      socket.destroy()
    })
    socket.once('error', (error) => reject(new Error(causeOf(error) ?? messageOf(error), { cause: error })))
    socket.once('close', () => clearTimeout(limit))
  })
}

const faultIn = (fault: unknown) => faults[codeOf(fault) || String(fault)] ?? 'clients do not trust it'

const faults: Record<string, string> = {
  CERT_HAS_EXPIRED: 'it has expired',
  CERT_NOT_YET_VALID: 'it is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it is signed by itself',
  SELF_SIGNED_CERT_IN_CHAIN: 'nobody knows who signed it',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificates between it and its root are not sent along',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'nobody knows who signed it',
  ERR_TLS_CERT_ALTNAME_INVALID: 'it is for another name',
}
