import { createHash } from 'node:crypto'
import { loadSheet } from '@pesewa/pages'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Refusal } from '../../refusals.ts'
import { preferredLanguage, prefersType } from '../lists/accept.ts'
import { refusalLanguages, refusalTexts } from './refusal-texts.ts'

/**
 * Returns whether to show a refusal as a page. Browsers prefer HTML; programs do not, and a request with a token
 * comes from a program, regardless of its `Accept` header.
 */
export const prefersRefusalPage = ({ headers }: FastifyRequest): boolean =>
  headers.authorization === undefined && prefersType(headers.accept, 'text/html', 'application/json')

/**
 * Sends a refusal as a small page with the reason and the id of the request. The page contains nothing that the
 * caller sent.
 */
export function sendRefusalPage(
  refusal: Refusal,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  style ??= loadSheet(import.meta.url, 'refusal.css')
  const language = preferredLanguage(request.headers['accept-language'], refusalLanguages)
  return reply
    .code(refusal.status)
    .headers({
      'content-security-policy': `default-src 'none'; style-src '${hashOf(style)}'; img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'none'`,
      'content-language': language,
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'x-robots-tag': 'noindex',
      vary: 'accept, authorization, accept-language',
    })
    .type('text/html; charset=utf-8')
    .send(render(refusal, request, language, style))
}

/** Read on the first refusal, to keep start-up fast. */
let style: string | undefined
const hashOf = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`

function render(
  { status, reason }: Refusal,
  { id, url }: FastifyRequest,
  language: 'en' | 'fr',
  css: string,
): string {
  const t = refusalTexts[language]
  const isApi = url.startsWith('/v1/')
  const [title, text] = t[kindOf(status, reason, isApi)]
  const links = [
    ['/', t.home],
    ['/console', t.console],
    ...(isApi ? [['/docs/reference/api', t.reference]] : []),
  ]
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Pesewa</title>
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<style>${css}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p>${text}</p>
<nav aria-label="${t.links}">
<ul>${links.map(([href, name]) => `<li><a href="${href}">${name}</a></li>`).join('')}</ul>
</nav>
<p class="reason">${t.reason} <code>${status} ${reason} · ${id}</code></p>
</main>
</body>
</html>
`
}

function kindOf(status: number, reason: Refusal['reason'], isApi: boolean) {
  if (status >= 500) return 'failed'
  if (reason === 'too_many_requests') return 'paced'
  if (reason === 'route_not_found') return 'missing'
  if (isApi) return 'api'
  return reason === 'not_found' ? 'expired' : 'refused'
}
