import {
  demoHeaders,
  type FrontLanguage,
  frontHeaders,
  frontLanguages,
  hasDocuments,
  html,
  renderFront,
} from '@pesewa/docs'
import type { FastifyRequest } from 'fastify'
import { preferredLanguage, prefersType } from '../../platform/http/lists/accept.ts'
import { type SendText, serveStaticText } from '../../platform/http/server/static-text.ts'

/** Sends the page that browsers show at `/`. */
export type FrontPage = SendText

/**
 * Returns whether to respond with the page rather than JSON. The `Accept` header of browsers prefers HTML, but
 * that of curl does not. A request with a token comes from a program, regardless of its `Accept` header.
 */
export const prefersFrontPage = ({ headers }: FastifyRequest): boolean =>
  headers.authorization === undefined && prefersType(headers.accept, 'text/html', 'application/json')

/** The request headers that the response at `/` depends on. */
export const frontPageVary = 'accept, authorization, accept-language, accept-encoding'

/** Decides who is offered the demo on the page. */
export type FrontDemo = {
  /** Returns what to offer to the sender of a request, or `undefined` if nothing may be offered. */
  offerTo(request: FastifyRequest): { apiAddress: string } | undefined
}

/**
 * Renders the page once per language, without links to parts that are not installed. The page of a demo is never
 * cached, because it must not reach anyone else.
 */
export function openFrontPage(view: { baseUrl: string; hasSimulator: boolean }, demo: FrontDemo): FrontPage {
  const render = (language: FrontLanguage) =>
    serveStaticText(renderFront({ ...view, language, hasDocuments: hasDocuments() }), html, frontPageVary)
  const pages = { en: render('en'), fr: render('fr') }
  return async (request, reply) => {
    const language = preferredLanguage(request.headers['accept-language'], frontLanguages)
    reply.header('content-language', language)
    const offer = demo.offerTo(request)
    if (offer) {
      const page = renderFront({ ...view, language, hasDocuments: hasDocuments(), demo: offer })
      return reply
        .headers({ ...demoHeaders, 'cache-control': 'no-store' })
        .type(html)
        .send(page)
    }
    reply.headers(frontHeaders)
    return pages[language](request, reply)
  }
}
