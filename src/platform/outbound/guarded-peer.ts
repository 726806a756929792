import { type LookupAddress, lookup as lookUpName } from 'node:dns'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import { Agent, buildConnector } from 'undici'
import { destinationsWithin, portOf } from './destinations.ts'
import { AnswerTooLarge, connectTimeoutMs, peerLimits } from './outbound.ts'

type Options = {
  /** Networks that may be reached besides the public internet, as CIDRs. */
  allowedNetworks: string[]
  /** Maximum connections per origin. */
  maxConnections: number
  /** Maximum origins (scheme, host and port) with open connections. Requests to further ones are not sent. */
  maxOrigins?: number
  lookup?: Lookup
}

export type Lookup = (
  name: string,
  options: { all: true },
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

/** Maximum bytes on the wire for one response, including the framing of its 64 KiB body. */
const maxAnswerWireBytes = 256 * 1024 // a response from a user-supplied address, including its framing
const pieceBytes = 1024
const defaultMaxOrigins = 1_000 // user-supplied origins with open connections

/**
 * Creates a peer for user-supplied addresses. Every new connection is checked: names are resolved once, here,
 * and only the result is dialled, so that DNS cannot change in between. A name that resolves to any refused
 * address is refused entirely. `Host` and the certificate's name stay those of the URL.
 */
export function createGuardedPeer(options: Options): Agent {
  const { allowedNetworks, maxConnections, maxOrigins = defaultMaxOrigins, lookup = lookUpName } = options
  const { mayDial } = destinationsWithin(allowedNetworks)
  return new Agent({
    ...peerLimits,
    connections: maxConnections,
    maxOrigins,
    allowH2: false, // The limits here are those of HTTP/1.
    connect: (target, done) => {
      const mayDialHere = (address: string) => mayDial(address, portOf(target))
      // Literal addresses are dialled without a look-up.
      if (isIP(target.hostname) && !mayDialHere(target.hostname))
        return queueMicrotask(() => done(new AddressRefused(), null))
      const connect = buildConnector({
        allowH2: false,
        // Starts now and includes the look-up.
        timeout: connectTimeoutMs,
        autoSelectFamily: true,
        lookup: checkedLookup(lookup, mayDialHere),
        // A resumed session does not verify the certificate.
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

/** Wraps the look-up with the check. A socket dials only the addresses that it returns, one after the other. */
function checkedLookup(lookup: Lookup, mayDial: (address: string) => boolean): LookupFunction {
  return (name, _options, done) =>
    lookup(name, { all: true }, (error, addresses) => {
      if (error) return done(error, [])
      const isRefused = !addresses.every(({ address }) => mayDial(address))
      done(isRefused ? new AddressRefused() : null, isRefused ? [] : addresses)
    })
}

/**
 * The parser only limits header fields, and reads more from the socket only after consuming a piece. So data is
 * passed on in small pieces and counted per request, which also limits status lines, informational responses
 * and chunk extensions.
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
