import type { Socket } from 'node:net'
import { fieldsOf } from '@pesewa/values'
import { newId, requestIds, showId } from '../../ids.ts'
import { Refusal, type RefusalReason } from '../../refusals.ts'
import { currentVersion } from '../admission/version.ts'

/** Renders a refusal as the API's error envelope. */
export function errorBody({ status, reason, message, details }: Refusal): string {
  // For a 429, `messages` is empty. All other refusals repeat `error.message` there.
  const messages = reason === 'too_many_requests' ? [] : [message]
  return JSON.stringify({ success: false, messages, error: { code: status, reason, message, details } })
}

const reasons: Record<string, RefusalReason> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
}
const phrases: Record<number, string> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
}

/**
 * Responds to a request that Node's parser rejects (because it is not valid HTTP, or is too large or too slow),
 * then closes the connection.
 */
export function createClientErrorHandler(lingerMs: number) {
  const handled = new WeakSet<Socket>()
  return (error: NodeJS.ErrnoException, socket: Socket) => {
    // Further errors are consequences of the first one, which has already been answered.
    if (handled.has(socket)) return
    handled.add(socket)
    if (error.code === 'ECONNRESET' || !socket.writable || isResponding(socket)) return void socket.destroy()
    socket.end(responseOf(new Refusal(reasons[error.code ?? ''] ?? 'request_invalid')))
    // Closing the connection immediately would reset it while the client is still sending, and the client would
    // not receive the response.
    setTimeout(() => socket.destroy(), lingerMs).unref()
  }
}

/**
 * Returns whether part of a response has already been sent on this connection. Node's own handler reads
 * `_httpMessage`, too.
 */
const isResponding = (socket: Socket) => fieldsOf(fieldsOf(socket)._httpMessage).headersSent === true

function responseOf(refusal: Refusal): string {
  const body = errorBody(refusal)
  const id = showId(requestIds, newId(new Date()))
  return [
    `HTTP/1.1 ${refusal.status} ${phrases[refusal.status]}`,
    `Date: ${new Date().toUTCString()}`,
    `Service-Request-Id: ${id}`,
    `X-Request-Id: ${id}`,
    `Service-Version: ${currentVersion}`,
    'Service-Request-Duration: 0',
    'Cache-Control: no-store',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n')
}
