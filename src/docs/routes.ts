import type { FastifyReply, FastifyRequest } from 'fastify'
import { fieldsOf } from '../platform/fields.ts'
import type { RawRoute } from '../platform/http/route.ts'
import { openUnchanging, type SendText } from '../platform/http/unchanging.ts'
import { assetRoute } from '../platform/pages/assets.ts'
import type { Library } from './library.ts'
import { css, html, pageHeaders, renderDocument, renderMissing } from './pages/render.ts'

/** The documents as pages. Each is rendered when it is first asked for. */
export function docsRoutes(library: Library | undefined): RawRoute[] {
  const pages = new Map<string, SendText>()
  const pageAt = (address: string): SendText | undefined => {
    const page = pages.get(address) ?? openPage(address)
    if (page) pages.set(address, page)
    return page
  }
  const openPage = (address: string) => {
    const document = library?.render(address)
    return document && library && openUnchanging(renderDocument({ ...document, address, library }), html)
  }
  const handle = (request: FastifyRequest, reply: FastifyReply) => {
    reply.headers(pageHeaders)
    const send = pageAt(addressOf(request))
    return send ? send(request, reply) : reply.code(404).type(html).send(renderMissing(library))
  }
  return [
    { kind: 'raw', method: 'GET', url: '/docs', summary: 'The documents', handle },
    { kind: 'raw', method: 'GET', url: '/docs/*', summary: 'A document', handle },
    assetRoute(css, 'A file of the documents and the front page'),
  ]
}

function addressOf({ params }: FastifyRequest): string {
  const name = String(fieldsOf(params)['*'] ?? '')
  return name === '' ? '/docs' : `/docs/${name}`
}
