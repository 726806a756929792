import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { after, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { must } from '@pesewa/values'
import { openPages } from './browsing.ts'

const run = promisify(execFile)
const main = new URL('../../../../packages/server/src/main.js', import.meta.url).pathname
const parent = mkdtempSync(join(tmpdir(), 'pesewa-docs-'))
// Not at the root of its server, because the site must work in any folder.
const out = join(parent, 'pages', 'pesewa')
const build = (...args: string[]) => run(process.execPath, [main, 'docs', 'build', ...args])
const { stdout } = await build('--out', out)

/** Serves files with their content type, and nothing else. */
const types: Record<string, string> = {
  html: 'text/html',
  js: 'text/javascript',
  json: 'application/json',
  md: 'text/markdown',
  png: 'image/png',
}
const server = createServer((request, response) => {
  const path = decodeURIComponent(new URL(request.url ?? '/', 'http://a').pathname)
  const file = join(parent, path.endsWith('/') ? `${path}index.html` : path)
  if (!existsSync(file) || !statSync(file).isFile()) return response.writeHead(404).end()
  return response
    .writeHead(200, { 'content-type': types[file.split('.').at(-1) ?? ''] ?? 'text/plain' })
    .end(readFileSync(file))
}).listen(0, '127.0.0.1')
await new Promise((listening) => server.once('listening', listening))
const { port } = server.address() as AddressInfo
const { visit, close } = await openPages(`http://127.0.0.1:${port}`)
after(async () => {
  await close()
  server.close()
})

const files = readdirSync(out, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.html'))

describe('the documents as files', () => {
  test('include all pages, and the targets of all links, anchors, scripts and images exist', () => {
    assert.match(stdout, new RegExp(`^Wrote ${files.length - 1} pages to `))
    assert.ok(files.length > 100)
    const anchors = new Map<string, Set<string>>()
    const pages = files.map((file) => {
      const html = readFileSync(join(out, file), 'utf8')
      anchors.set(
        join(out, file),
        new Set([...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => must(id, 'id'))),
      )
      return { file, html }
    })
    const issues: string[] = []
    let links = 0
    for (const { file, html } of pages) {
      assert.match(html, /<meta http-equiv="content-security-policy" content="default-src &#39;none&#39;;/)
      const forms = / (?:href|src|action|data-root|data-search[a-z-]*|data-sections)="([^"]*)"/g
      for (const [, link = ''] of html.matchAll(forms)) {
        if (/^(?:https?:\/\/|mailto:|data:image\/svg)/.test(link)) continue
        links++
        const [path = '', anchor] = link.split('#')
        const target = path === '' ? join(out, file) : resolve(dirname(join(out, file)), path)
        if (path.startsWith('/') || !target.startsWith(out) || !existsSync(target))
          issues.push(`${file}: ${link}`)
        else if (anchor && !anchors.get(target)?.has(decodeURIComponent(anchor)))
          issues.push(`${file}: ${link} has no anchor`)
      }
    }
    assert.ok(links > 10_000)
    assert.deepEqual(issues, [])
  })

  test('include every page as Markdown, and list them for language models', () => {
    for (const file of files)
      if (file !== 'search.html')
        assert.match(readFileSync(join(out, file.replace(/html$/, 'md')), 'utf8'), /^# /, file)
    const links = [...readFileSync(join(out, 'llms.txt'), 'utf8').matchAll(/\]\(([^)]+)\)/g)]
    assert.ok(links.length > 50)
    for (const [, link = ''] of links) assert.ok(existsSync(join(out, link)), link)
    assert.ok(existsSync(join(out, 'llms-full.txt')))
  })

  test('have a search index that leads to existing files', () => {
    const sections: { address: string }[] = JSON.parse(readFileSync(join(out, 'search.json'), 'utf8'))
    assert.ok(sections.length > 500)
    for (const { address } of sections)
      assert.ok(existsSync(join(out, must(address.split('#')[0], 'file'))), address)
  })

  test('can be searched, and have tabs and samples for the service that the reader enters', () =>
    visit('/pages/pesewa/reference/api.html', {}, async (page) => {
      await page.getByLabel('Service URL').fill('https://pay.shop.example')
      await page.getByRole('button', { name: 'Use these' }).click()
      await page.getByText('now show these values').waitFor()
      await page.keyboard.press('Tab')
      await page.keyboard.press('Control+k')
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('searchbox').pressSequentially('POST /v1/payouts')
      await dialog.getByRole('link', { name: 'Create a payout' }).first().click()
      await page.waitForURL(/\/pages\/pesewa\/reference\/api\/payouts\.html#post-v1payouts$/)
      await page.getByRole('tab', { name: 'PHP' }).first().click()
      await page
        .locator('.sample:visible', { hasText: 'https://pay.shop.example/v1/payouts' })
        .first()
        .waitFor()
      // The API is on another server, so nothing can be sent from here.
      assert.equal(await page.locator('form.sending').count(), 0)
    }))

  test('have a search page for the form, which a script fills in', () =>
    visit('/pages/pesewa/search.html?q=refund', {}, async (page) => {
      await page.getByRole('dialog').getByRole('link').first().waitFor()
    }))

  test('do not overwrite anything, and need a folder: exit code 1', async () => {
    for (const args of [
      ['--out', out],
      [],
      ['--out', join(parent, 'new'), '--base-url', 'javascript:alert(1)'],
    ])
      await assert.rejects(build(...args), { code: 1, stderr: /^[^\n]*\n$/ })
    assert.equal(existsSync(join(parent, 'new')), false)
  })
})
