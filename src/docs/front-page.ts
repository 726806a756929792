import type { FastifyRequest } from 'fastify'
import { languageAccepted, prefersType } from '../platform/http/accept.ts'
import { openUnchanging, type SendText } from '../platform/http/unchanging.ts'
import { hasDocuments } from './library.ts'
import { frontHeaders, html, renderFront } from './pages/render.ts'
import { type FrontLanguage, frontLanguages } from './pages/texts.ts'

/** Sends what `/` shows in a browser. */
export type FrontPage = SendText

/**
 * Browsers name HTML, and nothing before it; curl names nothing. What has a token to show is a program, whatever it says
 * that it takes.
 */
export const asksForFrontPage = ({ headers }: FastifyRequest): boolean =>
  headers.authorization === undefined && prefersType(headers.accept, 'text/html', 'application/json')

/** What decides about the response of `/`. */
export const frontPageVary = 'accept, authorization, accept-language, accept-encoding'

/** Each language is rendered once. Links to what is not there are left out. */
export function openFrontPage(view: { baseUrl: string; hasSimulator: boolean }): FrontPage {
  const render = (language: FrontLanguage) =>
    openUnchanging(renderFront({ ...view, language, hasDocuments: hasDocuments() }), html, frontPageVary)
  const pages = { en: render('en'), fr: render('fr') }
  return (request, reply) => {
    const language = languageAccepted(request.headers['accept-language'], frontLanguages)
    reply.headers({ ...frontHeaders, 'content-language': language })
    return pages[language](request, reply)
  }
}
