import { html, openSearch, pageHeaders, type Site, type SiteSearch, scripts } from '@pesewa/docs'
import { fieldsOf } from '@pesewa/values'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { enforceAddressLimit, enforceViewLimit } from '../../platform/http/admission/address-limit.ts'
import type { RawRoute } from '../../platform/http/commands/route.ts'
import { type SendText, serveStaticText } from '../../platform/http/server/static-text.ts'
import { assetRoute } from '../../platform/pages/asset-route.ts'
import type { Platform } from '../../platform/platform.ts'

const searchesPerSecond = 5 // documentation searches without JavaScript per second for each address

type DocsParts = { site: Site; limits?: Platform }

/** Defines the routes that serve the documents as pages. Each page is rendered on its first request. */
export function docsRoutes({ site, limits }: DocsParts): RawRoute[] {
  const pages = new Map<string, Promise<SendText | undefined>>()
  const pageAt = (address: string): Promise<SendText | undefined> => {
    const page = pages.get(address) ?? openPage(address)
    return page
  }
  // Only pages that exist are kept in memory, so requests for other paths do not use up memory.
  const openPage = async (address: string) => {
    const isMarkdown = address.endsWith('.md')
    const text = isMarkdown ? await site.markdown(address.slice(0, -'.md'.length)) : await site.page(address)
    const page = text === undefined ? undefined : serveStaticText(text, isMarkdown ? markdown : html)
    if (page) pages.set(address, Promise.resolve(page))
    return page
  }
  const search = openSearch(site)
  let sections: SendText | undefined
  const handle = (request: FastifyRequest, reply: FastifyReply) =>
    sendText(request, reply, addressOf(request))
  const sendText = async (request: FastifyRequest, reply: FastifyReply, address: string) => {
    reply.headers(pageHeaders)
    const send = await pageAt(address)
    return send ? send(request, reply) : reply.code(404).type(html).send(site.missingPage())
  }
  const admit = (request: FastifyRequest) => limits && enforceViewLimit(limits, request)
  const { library } = site
  return [
    { kind: 'raw', method: 'GET', url: '/docs', summary: 'Documentation', admit, handle },
    {
      kind: 'raw',
      method: 'GET',
      url: '/docs.md',
      summary: 'Documentation as Markdown',
      admit,
      handle: (request, reply) => sendText(request, reply, '/docs.md'),
    },
    ...llmsRoutes(site, admit),
    ...moved.map(([from, to]) => movedRoute(from, to)),
    { kind: 'raw', method: 'GET', url: '/docs/*', summary: 'Documentation page', admit, handle },
    ...(library?.pictures ?? []).map((picture) => ({ ...pictureRoute(picture), admit })),
    {
      kind: 'raw',
      method: 'GET',
      url: '/docs/search',
      summary: 'Search the documentation',
      admit: (request) => limits && enforceAddressLimit(limits, 'docs_search', searchesPerSecond, request),
      handle: (request, reply) => sendFound(request, reply, site, search),
    },
    {
      kind: 'raw',
      method: 'GET',
      url: '/docs/search.json',
      summary: 'Search index of the documentation',
      admit,
      handle: async (request, reply) => {
        reply.headers(pageHeaders)
        sections ??= serveStaticText(await search.file(), 'application/json; charset=utf-8')
        return sections(request, reply)
      },
    },
    ...Object.values(scripts).map((script) => assetRoute(script, 'Script of the documentation')),
  ]
}

const markdown = 'text/markdown; charset=utf-8'

/** Former addresses that people have bookmarked, and where the pages are now. */
const moved = [
  ['/reference', '/docs/reference/api'],
  ['/docs/start', '/docs/guides/install'],
  ['/docs/guides/take-a-payment', '/docs/guides/quickstart'],
] as const

const movedRoute = (from: string, to: string): RawRoute => ({
  kind: 'raw',
  method: 'GET',
  url: from,
  summary: `Redirect to ${to}`,
  handle: (_request, reply) => reply.redirect(to, 308),
})

/** The pages as text for language models. Each is written on its first request. */
function llmsRoutes(site: Site, admit: RawRoute['admit']): RawRoute[] {
  const write = {
    '/llms.txt': () => site.llms((address) => address),
    '/llms-full.txt': () => site.llmsFull(),
  }
  return Object.entries(write).map(([url, text]) => {
    let sent: Promise<SendText> | undefined
    const open = () => {
      sent ??= text()
        .then((body) => serveStaticText(body, 'text/plain; charset=utf-8'))
        .catch((error: unknown) => {
          sent = undefined
          throw error
        })
      return sent
    }
    return {
      kind: 'raw',
      method: 'GET',
      url,
      summary: 'Documentation for language models',
      ...(admit && { admit }),
      handle: async (request, reply) => {
        reply.headers(pageHeaders)
        return (await open())(request, reply)
      },
    }
  })
}

async function sendFound(request: FastifyRequest, reply: FastifyReply, site: Site, search: SiteSearch) {
  const { q } = fieldsOf(request.query)
  const query = typeof q === 'string' ? q : ''
  const found = await search.find(query)
  return reply
    .headers({ ...pageHeaders, 'cache-control': 'no-store' })
    .type(html)
    .send(site.searchPage(found.query, found.hits))
}

const pictureRoute = ({ address, body }: { address: string; body: Buffer }): RawRoute => ({
  kind: 'raw',
  method: 'GET',
  url: address,
  summary: 'Picture in the documentation',
  handle: (_request, reply) =>
    reply
      .headers({
        ...pageHeaders,
        'cache-control': 'max-age=3600',
        'cross-origin-resource-policy': 'same-origin',
      })
      .type('image/png')
      .send(body),
})

function addressOf({ params }: FastifyRequest): string {
  const name = String(fieldsOf(params)['*'] ?? '')
  return name === '' ? '/docs' : `/docs/${name}`
}
