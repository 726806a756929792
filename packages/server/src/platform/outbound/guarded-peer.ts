import { type LookupAddress, lookup as lookUpName } from 'node:dns'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import { AnswerTooLarge, connectTimeoutMs, peerLimits } from '@pesewa/connector-kit'
import { Agent, buildConnector } from 'undici'
import { destinationsWithin, portOf } from './destinations.ts'

type Options = {
  /** Networks, in CIDR notation, to which connections are allowed in addition to the public internet. */
  allowedNetworks: string[]
  /** Maximum number of connections per origin. */
  maxConnections: number
  /**
   * Maximum number of origins (scheme, host and port) with open connections. Requests to further origins are
   * not sent.
   */
  maxOrigins?: number
  lookup?: Lookup
}

export type Lookup = (
  name: string,
  options: { all: true },
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

/**
 * Maximum number of bytes received for one response. The body may have at most 64 KiB, but its framing counts
 * as well.
 */
const maxAnswerWireBytes = 256 * 1024 // size of a response from a user-supplied address, including its framing
const pieceBytes = 1024
const defaultMaxOrigins = 1_000 // user-supplied origins with open connections

/**
 * Creates a peer for user-supplied URLs. Every new connection is checked. A name is resolved only once, here,
 * and the connection is made to the resulting address, so that a change in DNS cannot bypass the check. If any
 * of a name's addresses is not allowed, the name is refused entirely. The `Host` header and the name that the
 * certificate must contain are still those in the URL.
 */
export function createGuardedPeer(options: Options): Agent {
  const { allowedNetworks, maxConnections, maxOrigins = defaultMaxOrigins, lookup = lookUpName } = options
  const { mayDial } = destinationsWithin(allowedNetworks)
  return new Agent({
    ...peerLimits,
    connections: maxConnections,
    maxOrigins,
    allowH2: false, // The limits in this file apply to HTTP/1.
    connect: (target, done) => {
      const mayDialHere = (address: string) => mayDial(address, portOf(target))
      // For a literal address, there is no name to look up.
      if (isIP(target.hostname) && !mayDialHere(target.hostname))
        return queueMicrotask(() => done(new AddressRefused(), null))
      const connect = buildConnector({
        allowH2: false,
        // The timeout starts now and includes the look-up.
        timeout: connectTimeoutMs,
        autoSelectFamily: true,
        lookup: checkedLookup(lookup, mayDialHere),
        // TLS sessions are never resumed, because the certificate is not verified again on resumption.
        maxCachedSessions: 0,
      })
      connect(target, (...result) => {
        if (result[1]) limitAnswers(result[1])
        done(...result)
      })
    },
  })
}

class AddressRefused extends Error {
  code = 'ADDRESS_REFUSED'
}

/**
 * Wraps the look-up with the check. A socket connects only to the addresses that the look-up returns, one after
 * the other.
 */
function checkedLookup(lookup: Lookup, mayDial: (address: string) => boolean): LookupFunction {
  return (name, _options, done) =>
    lookup(name, { all: true }, (error, addresses) => {
      if (error) return done(error, [])
      const isRefused = !addresses.every(({ address }) => mayDial(address))
      done(isRefused ? new AddressRefused() : null, isRefused ? [] : addresses)
    })
}

/**
 * Limits the size of responses. The HTTP parser only limits header fields, and reads more from the socket only
 * once it has consumed the current piece. Data is therefore passed on in small pieces and counted for each
 * request, which also limits status lines, informational responses and chunk extensions.
 */
function limitAnswers(socket: Socket): void {
  const read: Socket['read'] = socket.read.bind(socket)
  let written = 0
  let bytesLeft = 0
  socket.read = (size) => {
    if (size !== undefined) return read(size)
    if (socket.destroyed) return null
    const piece: Buffer | null = read(Math.min(socket.readableLength, pieceBytes) || undefined)
    if (socket.bytesWritten !== written) {
      written = socket.bytesWritten
      bytesLeft = maxAnswerWireBytes
    }
    bytesLeft -= piece?.length ?? 0
    if (bytesLeft < 0) socket.destroy(new AnswerTooLarge())
    return piece
  }
}
