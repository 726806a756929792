import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { must } from '@pesewa/values'
import Fastify from 'fastify'
import { openLibrary } from '../../../../packages/docs/src/library.ts'
import { openSite } from '../../../../packages/docs/src/site.ts'
import { docsRoutes } from '../../../../packages/server/src/operations/docs/routes.ts'
import { startTestApp } from '../../../support/harness.ts'
import { pages as markdownFiles } from '../../../tidy/documents.ts'

const t = await startTestApp({ work: false })
after(() => t.close())

const library = must(openLibrary(), 'the documents')
const site = openSite({ openLibrary, openApi: t.app.parts.openApi, isServed: true })
const hashOf = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`
const get = (path: string, headers: Record<string, string> = {}) => fetch(t.baseUrl + path, { headers })

/** Returns a page's links and anchors. */
async function readPage(path: string) {
  const response = await get(path)
  const html = await response.text()
  const all = (attribute: string) =>
    [...html.matchAll(new RegExp(`<[^>]* ${attribute}="([^"]*)"`, 'g'))].map(([, value]) =>
      must(value, attribute).replaceAll('&amp;', '&'),
    )
  return { status: response.status, html, links: all('href'), anchors: all('id') }
}

describe('the documents', () => {
  test('are the Markdown files in docs/ and the rails’ guides, all reachable from the start page', async () => {
    const files = markdownFiles().filter(({ path }) =>
      /^(?:docs\/.*|packages\/rails\/[^/]+\/guide\.md)$/.test(path),
    )
    // The API reference has its own pages.
    assert.equal(library.addresses.length, files.length - 1)
    const seen = new Map<string, Awaited<ReturnType<typeof readPage>>>()
    const waiting = ['/docs']
    const issues: string[] = []
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      const page = await readPage(path)
      seen.set(path, page)
      if (page.status !== 200) issues.push(`${path} is ${page.status}`)
      if (new Set(page.anchors).size !== page.anchors.length) issues.push(`${path} has a duplicate anchor`)
      for (const link of page.links.map((link) => link.split('#', 1)[0]!))
        if (/^\/docs(?:$|\/)(?!.*\.md$)/.test(link) && !seen.has(link) && !waiting.includes(link))
          waiting.push(link)
    }
    assert.deepEqual([...seen.keys()].toSorted(), (await site.addresses()).toSorted())

    const elsewhere = new Set<string>()
    for (const [path, { links }] of seen)
      for (const link of links) {
        const [target = '', anchor] = link.split('#')
        const page = target === '' ? seen.get(path) : seen.get(target)
        if (!page) elsewhere.add(target)
        else if (anchor && !page.anchors.includes(decodeURIComponent(anchor)))
          issues.push(`${path} links to ${link}, whose anchor does not exist`)
      }
    for (const link of elsewhere)
      if (link.startsWith('/')) {
        const { status } = await get(link)
        if (status !== 200) issues.push(`${link} is ${status}`)
      } else if (!/^(?:https?:\/\/|mailto:|data:image\/svg)/.test(link)) issues.push(`${link} leads nowhere`)
    assert.deepEqual(issues, [])
  })

  test('are in the table of contents if they are guides or reference', () => {
    const listed = library.contents.flatMap(({ entries }) => entries.map(({ address }) => address))
    const missing = library.addresses.filter(
      (address) =>
        address !== '/docs' && !address.startsWith('/docs/decisions/') && !listed.includes(address),
    )
    assert.deepEqual(missing, [])
    assert.equal(new Set(listed).size, listed.length)
  })

  test('load no external resources, run only their own scripts, and cannot be framed', async () => {
    for (const path of [
      '/docs',
      '/docs/guides/lists',
      '/docs/reference/api/payouts',
      '/docs/search?q=a',
      '/docs/none',
    ]) {
      const response = await get(path)
      const policy = response.headers.get('content-security-policy') ?? ''
      const [style, script] =
        /^default-src 'none'; style-src '([^']+)'; script-src 'self' '([^']+)'; /.exec(policy)?.slice(1) ?? []
      const html = await response.text()
      const hashes = [...html.matchAll(/<(style|script)>([\s\S]*?)<\/\1>/g)].map(([, , text]) =>
        hashOf(must(text, 'text')),
      )
      assert.deepEqual(hashes, [style, script])
      assert.doesNotMatch(policy, /unsafe|https:|\*/)
      assert.match(policy, /connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/)
      assert.doesNotMatch(html, /<[^>]* (?:style|on\w+)=|<link rel="stylesheet"|@import/)
      assert.equal(response.headers.get('x-frame-options'), 'DENY')
      assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
      assert.equal(response.headers.get('referrer-policy'), 'no-referrer')
    }
  })

  test('are compressed, and not sent again if unchanged', async () => {
    const plain = await get('/docs/guides/lists', { 'accept-encoding': 'identity' })
    const tag = must(plain.headers.get('etag'), 'a tag')
    assert.equal(plain.headers.get('cache-control'), 'no-cache')
    assert.equal(plain.headers.get('vary'), 'accept-encoding')
    const packed = await get('/docs/guides/lists', { 'accept-encoding': 'br' })
    assert.deepEqual(
      [packed.headers.get('content-encoding'), packed.headers.get('etag'), await packed.text()],
      ['br', tag, await plain.text()],
    )
    assert.equal((await get('/docs/guides/lists', { 'if-none-match': tag })).status, 304)
    assert.notEqual((await get('/docs', { 'if-none-match': tag })).status, 304)
  })

  test('have scripts that are named by their content and cached permanently', async () => {
    const { html } = await readPage('/docs')
    const scripts = [...html.matchAll(/\/assets\/[\w-]+\.[0-9a-f]{8}\.js/g)].map(([path]) => path)
    assert.equal(scripts.length, 4)
    for (const script of scripts) {
      const response = await get(script)
      assert.match(response.headers.get('cache-control') ?? '', /max-age=31536000, immutable/)
      assert.match(response.headers.get('content-type') ?? '', /^text\/javascript/)
    }
  })

  test('show their images', async () => {
    const response = await get('/docs/pictures/pesewa.png')
    assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'image/png'])
    assert.equal(
      (await response.arrayBuffer()).byteLength,
      library.pictures.find(({ address }) => address.endsWith('pesewa.png'))?.body.length,
    )
  })

  test('redirect their former addresses', async () => {
    for (const [from, to] of [
      ['/reference', '/docs/reference/api'],
      ['/docs/start', '/docs/guides/install'],
      ['/docs/guides/take-a-payment', '/docs/guides/quickstart'],
    ] as const) {
      const response = await fetch(t.baseUrl + from, { redirect: 'manual' })
      assert.deepEqual([response.status, response.headers.get('location')], [308, to])
      assert.equal((await get(to)).status, 200)
    }
  })

  test('are available as Markdown at the same address with .md, and link to each other’s Markdown', async () => {
    for (const address of await site.addresses()) {
      const path = `${address}.md`
      const response = await get(path)
      assert.equal(response.status, 200, path)
      assert.equal(response.headers.get('content-type'), 'text/markdown; charset=utf-8', path)
      const text = await response.text()
      assert.match(text, /^# \S/, path)
      const { html } = await readPage(address)
      assert.ok(html.includes(` href="${path}"`), path)
    }
    const links = [...(await (await get('/docs/guides/quickstart.md')).text()).matchAll(/\]\(([^)]+)\)/g)]
    assert.ok(links.length > 10)
    for (const [, link = ''] of links) {
      assert.match(link, /^\/docs\/[^#]*\.md(?:#|$)/)
      assert.equal((await get(link.split('#')[0]!)).status, 200, link)
    }
  })

  test('are listed in /llms.txt, and are all in /llms-full.txt except those for contributors', async () => {
    const list = await (await get('/llms.txt')).text()
    const full = await (await get('/llms-full.txt')).text()
    assert.match(list, /^# Pesewa\n\n> /)
    for (const address of await site.addresses()) {
      if (/^\/docs(?:$|\/decisions\/)/.test(address)) continue
      assert.ok(list.includes(`](${address}.md)`), address)
      const [title = ''] = ((await site.markdown(address)) ?? '').split('\n', 1)
      assert.equal(full.includes(`${title}\n`), !/\/(?:decisions|spec)\b/.test(address), address)
    }
    for (const [, link = ''] of list.matchAll(/\]\(([^)]+)\)/g))
      assert.equal((await get(link)).status, 200, link)
  })

  test('are sent without a body in response to HEAD', async () => {
    const response = await fetch(`${t.baseUrl}/docs/guides/lists`, { method: 'HEAD' })
    assert.deepEqual([response.status, await response.text()], [200, ''])
    assert.ok(Number(response.headers.get('content-length')) > 1_000)
  })

  test('are the only pages below /docs; any other URL is a 404', async () => {
    for (const path of [
      'none',
      'guides',
      'guides/',
      'guides/lists/',
      'README',
      'README.md',
      '../package.json',
      '..%2fpackage.json',
      '%2e%2e/%2e%2e/package.json',
      'guides/..%2f..%2f..%2f..%2fetc%2fpasswd',
      'guides/%252e%252e%252fstart',
      'reference/openapi.json',
      'reference/api/none.md',
      'guides/none.md',
      'guides/lists.md.md',
      '.md',
      '../package.json.md',
      'reference/api/none',
      'reference/api/__proto__',
      'pictures/none.png',
      'pictures/',
      'guides%5clists',
      'guides/lists%00',
      'guides/lists%00.md',
      '%c0%ae%c0%ae/start',
      '%zz',
      '%',
      '__proto__',
      'constructor',
      '//evil.example/',
      encodeURIComponent('<script>alert(1)</script>'),
      'x'.repeat(201),
      'x/'.repeat(2_000),
    ]) {
      // Sent verbatim, because `fetch` would normalize the path.
      const { statusCode, body } = await t.app.server.inject({ method: 'GET', url: `/docs/${path}` })
      assert.equal(statusCode, 404, path)
      assert.doesNotMatch(body, /<script>alert/)
    }
    const { html } = await readPage('/docs/none')
    assert.match(html, /<h1>Page not found<\/h1>/)
    assert.match(html, /<a href="\/docs\/guides\/lists">/)
  })
})

describe('an installation', () => {
  /** Serves only the documents in the folder `docs` of a folder. */
  const serve = async (folder: string) => {
    const server = Fastify()
    for (const { method, url, handle } of docsRoutes({
      site: openSite({
        openLibrary: (options) => openLibrary({ ...options, root: pathToFileURL(`${folder}/`) }),
        openApi: () => ({ paths: {} }),
        isServed: true,
      }),
    }))
      server.route({ method, url, handler: handle })
    after(() => server.close())
    return (url: string) => server.inject({ method: 'GET', url })
  }

  test('without the folder of documents responds with a 404 page that explains this', async () => {
    const ask = await serve(mkdtempSync(join(tmpdir(), 'pesewa-')))
    for (const url of ['/docs', '/docs/guides/lists']) {
      const { statusCode, body } = await ask(url)
      assert.equal(statusCode, 404)
      assert.match(body, /<h1>Guides not installed<\/h1>/)
      assert.doesNotMatch(body, /href="\/docs(?!\/reference\/api")/)
    }
  })

  test('links documents only to each other, and serves no other files', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'pesewa-'))
    mkdirSync(join(folder, 'docs/a'), { recursive: true })
    writeFileSync(join(folder, 'docs/secret.txt'), 'secret')
    writeFileSync(join(folder, 'docs/README.md'), '# R\n\n## G\n\n- [B](a/b.md): x\n- [none](c.md)\n')
    writeFileSync(
      join(folder, 'docs/a/b.md'),
      '# B\n\n[r](../README.md#g) [s](../secret.txt) [u](../../up.md) [e](//evil.example/x.md) [j](javascript:x) [h](https://x.example/)',
    )
    const ask = await serve(folder)
    const { body } = await ask('/docs/a/b')
    const [text = ''] = body.split('<main')[1]?.split('</main>') ?? []
    assert.deepEqual(
      [...text.matchAll(/href="([^"]*)"/g)].map(([, link]) => link),
      ['/docs/a/b.md', '/docs#g', 'https://x.example/'],
    )
    assert.match(body, /<li><a href="\/docs\/a\/b" aria-current="page">B<\/a><\/li>/)
    assert.doesNotMatch(body, />none</)
    assert.equal((await ask('/docs/secret.txt')).statusCode, 404)
  })
})
