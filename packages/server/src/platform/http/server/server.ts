import formbody from '@fastify/formbody'
import { codeOf, fieldsOf } from '@pesewa/values'
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import { newId, requestIds, showId } from '../../ids.ts'
import type { Platform } from '../../platform.ts'
import { Refusal } from '../../refusals.ts'
import { traceLogFields } from '../../tracing/spans.ts'
import { capConnections, closeIdleConnections, defaultTimeouts } from '../admission/connections.ts'
import { exchangeOf } from '../admission/exchange.ts'
import { maxBodyBytes, maxRawBodyBytes, type ServerParts } from '../admission/parts.ts'
import { shapesOfTypes } from '../admission/personal.ts'
import { currentVersion } from '../admission/version.ts'
import { parseJson, parsePlainJson } from '../commands/json.ts'
import { createExportPace } from '../lists/export-pace.ts'
import { openExports } from '../lists/exports.ts'
import { openStreams } from '../lists/streams.ts'
import { addApiRoute } from './api.ts'
import { createClientErrorHandler, errorBody } from './client-errors.ts'
import { findMethods } from './other-methods.ts'
import { prefersRefusalPage, sendRefusalPage } from './refusal-page.ts'
import { beginTrace, endTrace, exemplarOf, inRequestTrace } from './request-traces.ts'

const maxPathParameter = 200
const maxHeaderBytes = 16 * 1024 // limit: total size of a request line and its headers

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * True for a route outside the API. Its request bodies have a lower size limit, and numbers in them are
     * parsed with JavaScript's usual rounding.
     */
    isRaw?: boolean
  }
  interface FastifyRequest {
    /** The raw JSON of a request outside the API, needed to check signatures. */
    rawBody?: Buffer
  }
}

/** Creates the HTTP server, which uses the same headers, errors and order of checks for every route. */
export async function createHttpServer(parts: ServerParts): Promise<FastifyInstance> {
  const { platform, routes, timeouts = defaultTimeouts } = parts
  const isTls = platform.baseUrl.startsWith('https:')
  const server = Fastify({
    logger: false,
    bodyLimit: maxBodyBytes,
    trustProxy: platform.settings.trustedProxies.length > 0 ? platform.settings.trustedProxies : false,
    genReqId: () => showId(requestIds, newId(new Date())),
    requestTimeout: timeouts.requestTimeoutMs,
    connectionTimeout: timeouts.stuckTimeoutMs,
    http: {
      headersTimeout: timeouts.headersTimeoutMs,
      connectionsCheckingInterval: timeouts.checkEveryMs,
      maxHeaderSize: maxHeaderBytes,
      // The header is checked below, so that the refusal has our own format.
      requireHostHeader: false,
    },
    return503OnClosing: false,
    exposeHeadRoutes: true,
    routerOptions: { maxParamLength: maxPathParameter },
    // A request with a malformed URL reaches no route and therefore triggers no hook.
    frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) =>
      sendError(
        platform,
        error,
        request,
        setCommonHeaders(request, reply, isTls).header('service-request-duration', '0'),
      ),
    clientErrorHandler: createClientErrorHandler(timeouts.lingerMs),
  })

  capConnections(server.server, {
    maxPerAddress: platform.settings.connectionsPerAddress,
    trustedProxies: platform.settings.trustedProxies,
    onRefused: () => platform.metrics.refusedConnections.inc(),
  })
  closeIdleConnections(server)
  const streams = openStreams(server, parts.gate)
  const exports = openExports(server, parts)
  const pace = createExportPace()
  const methodsAt = findMethods(routes)
  const refuseUnknown = ({ url }: FastifyRequest) => {
    const allow = methodsAt(url)
    return allow ? new Refusal('method_not_allowed', { headers: { allow } }) : new Refusal('route_not_found')
  }
  server.removeAllContentTypeParsers()
  server.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => {
      if (!request.routeOptions.config.isRaw) return parseJson(body)
      request.rawBody = body
      return parsePlainJson(body)
    },
  )
  server.decorateRequest('rawBody', undefined)
  server.decorateRequest('span', undefined)
  await server.register(formbody, { bodyLimit: maxBodyBytes })
  // API routes refuse other content types themselves. Pages and callbacks ignore such bodies.
  server.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) => body)

  // The hooks are synchronous, because promises would take a significant part of the time of a fast read.
  server.addHook('onRequest', (request, reply, done) => {
    pace.noteCall()
    if (platform.tracing) beginTrace(platform.tracing, request)
    setCommonHeaders(request, reply, isTls)
    if (request.raw.httpVersion === '1.1' && request.headers.host === undefined)
      throw new Refusal('request_invalid', { message: 'HTTP/1.1 requires a Host header.' })
    // The request is refused before the type and size of its body are checked.
    if (request.is404) throw refuseUnknown(request)
    if (!isRead(request) && platform.clockWatch.isWrong()) throw wrongClock()
    done()
  })
  server.addHook('onSend', (_request, reply, _payload, done) => {
    // By default, responses must not be cached, because each is meant for one caller at one time. Cacheable
    // responses set their own header.
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
    reply.header('service-request-duration', String(Math.round(reply.elapsedTime)))
    // Otherwise, a client or balancer could send the next request just as the connection is closed.
    if (platform.readiness.isShuttingDown()) reply.header('connection', 'close')
    done()
  })
  server.addHook('onResponse', (request, reply, done) => {
    observe(platform, request, reply)
    const exchange = parts.recordExchange && exchangeOf(request, reply)
    if (exchange) parts.recordExchange?.(exchange)
    done()
  })
  server.setErrorHandler((error, request, reply) => sendError(platform, error, request, reply))
  server.setNotFoundHandler((request) => {
    throw refuseUnknown(request)
  })

  const shapeOfType = shapesOfTypes(routes)
  for (const route of routes) {
    if (route.kind === 'raw') {
      const { method, url, handle, showError, admit, maxBodyBytes: bodyLimit = maxRawBodyBytes } = route
      server.route({
        method,
        url,
        bodyLimit,
        config: { isRaw: true },
        handler: inRequestTrace(platform.tracing, handle),
        ...(admit && { onRequest: async (request: FastifyRequest) => void (await admit(request)) }),
        ...(showError && { errorHandler: showError }),
      })
    } else addApiRoute(server, { ...parts, streams, exports, pace, shapeOfType }, route)
  }
  return server
}

/** HSTS applies for one year and excludes subdomains, which may belong to other services. */
const strictTransport = 'max-age=31536000' // seconds for which a browser requires TLS after a visit

const setCommonHeaders = (request: FastifyRequest, reply: FastifyReply, isTls: boolean) =>
  reply.headers({
    'service-request-id': request.id,
    'x-request-id': request.id,
    'service-version': currentVersion,
    ...(isTls && { 'strict-transport-security': strictTransport }),
  })

const isRead = ({ method }: FastifyRequest) => method === 'GET' || method === 'HEAD'

const wrongClock = () =>
  new Refusal('service_unavailable', {
    message:
      "This node's clock is wrong, so it refuses changes until the clock is corrected. Retry the request.",
    headers: { 'retry-after': '5' },
  })

const fastifyReasons: Record<string, ConstructorParameters<typeof Refusal>[0]> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'media_type_unsupported',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'json_invalid',
  FST_ERR_BAD_URL: 'route_not_found',
  FST_ERR_MAX_PARAM_LENGTH: 'route_not_found',
}

/**
 * Converts a thrown error to a refusal. Unexpected errors become refusals without details. Each error of the server has
 * one line in the log, with its reason.
 */
export function refusalOf({ log }: Pick<Platform, 'log'>, error: unknown, request: FastifyRequest): Refusal {
  const refusal = error instanceof Refusal ? error : refusalOfUnexpected(error, request)
  const { status } = refusal
  if (status >= 500) {
    const about = { requestId: request.id, route: request.routeOptions.url, status, err: error }
    // Hooks and error handlers run outside the span of the request.
    const line = { ...about, ...traceLogFields(request.span) }
    if (status === 500) log.error(line, 'request failed')
    else log.warn(line, 'request failed')
  }
  return refusal
}

function refusalOfUnexpected(error: unknown, { routeOptions }: FastifyRequest): Refusal {
  const code = codeOf(error)
  const statusCode = Number(fieldsOf(error).statusCode)
  const reason = fastifyReasons[code]
  if (reason === 'body_too_large' && routeOptions.config.isRaw)
    return new Refusal(reason, { message: `The body is larger than ${routeOptions.bodyLimit / 1024} KiB.` })
  if (reason) return new Refusal(reason)
  if (code === '55P03') return new Refusal('service_unavailable', { headers: { 'retry-after': '1' } })
  return new Refusal(statusCode >= 400 && statusCode < 500 ? 'json_invalid' : 'internal_error')
}

function sendError(platform: Platform, error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const refusal = refusalOf(platform, error, request)
  request.refusalReason = refusal.reason
  for (const [name, value] of Object.entries(refusal.headers)) reply.header(name, value)
  if (refusal.status === 401) reply.header('www-authenticate', 'Bearer')
  if (prefersRefusalPage(request)) return sendRefusalPage(refusal, request, reply)
  return reply.code(refusal.status).type('application/json; charset=utf-8').send(errorBody(refusal))
}

function observe({ log, metrics, settings }: Platform, request: FastifyRequest, reply: FastifyReply): void {
  const route = request.is404 ? 'none' : (request.routeOptions.url ?? 'none')
  const status = String(reply.statusCode)
  endTrace(request, reply)
  metrics.observeRequest(
    { method: request.method, route, status },
    reply.elapsedTime / 1000,
    exemplarOf(request),
  )
  // Without the line, the trace usually needs no id.
  if (settings.logLevel !== 'info' && settings.logLevel !== 'debug') return
  log.info(
    {
      requestId: request.id,
      method: request.method,
      route,
      status,
      ms: Math.round(reply.elapsedTime),
      ...(request.span && traceLogFields(request.span)),
    },
    'request',
  )
}
