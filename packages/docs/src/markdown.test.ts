import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { renderMarkdown } from './markdown.ts'

const htmlOf = (markdown: string, resolve = (href: string): string | undefined => href) =>
  renderMarkdown(markdown, { resolveLink: resolve }).html

describe('a document', () => {
  test('has its first heading as plain-text title', () => {
    const { title } = renderMarkdown('# The `verify` of [books](x.md)\n\n# Another', {
      resolveLink: () => undefined,
    })
    assert.equal(title, 'The verify of books')
    assert.equal(renderMarkdown('No heading', { resolveLink: () => undefined }).title, '')
  })

  test('has the same heading anchors as on GitHub', () => {
    const html = htmlOf('## `GET /v1/x`: two\n\n## Été & more\n\n## Same\n\n## Same\n')
    assert.deepEqual(
      [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id),
      ['get-v1x-two', 'été--more', 'same', 'same-1'],
    )
  })

  test('shows HTML as text', () => {
    for (const hostile of [
      '<script>alert(1)</script>',
      'a <img src=x onerror=alert(1)> b',
      '<pre><img src=x onerror=alert(1) </pre>',
      '<div onclick="x">\n\nb\n\n</div>',
      '# <b onclick=x>c</b>',
      '| <i onclick=x>a</i> |\n| --- |\n| <style>*{}</style> |',
      '```"><script>\nx\n```',
      '![<img src=x onerror=x>](x.png "<b>")',
      '```sh title="<script>"\nx\n```',
      '```html title="a\' onclick=x"\n<img src=x onerror=x>\n```\n\n```ts title="curl"\n<b onclick=x>\n```',
      '<!-- a --><script>alert(1)</script>',
    ]) {
      const tags = htmlOf(hostile).matchAll(/<\/?([a-z0-9]+)([^>]*)>/g)
      for (const [tag, name, attributes] of tags) {
        assert.match(name!, /^(?:p|h1|div|table|thead|tbody|tr|th|td|pre|code|button|span)$/, tag)
        assert.doesNotMatch(attributes!, /\son\w+=|src=/, tag)
      }
    }
  })

  test('resolves links, and keeps only the text of links that lead nowhere', () => {
    const resolve = (href: string) => (href === 'a.md' ? '/docs/a"b' : undefined)
    assert.equal(htmlOf('[`a`](a.md)', resolve), '<p><a href="/docs/a&quot;b"><code>a</code></a></p>\n')
    assert.equal(htmlOf('[`x.ts`](../src/x.ts)', resolve), '<p><code>x.ts</code></p>\n')
    assert.equal(htmlOf('[x](javascript:alert(1))', resolve), '<p>x</p>\n')
  })

  test('lets wide blocks scroll by keyboard, and has no empty column headings', () => {
    const html = htmlOf('| | b |\n|---|---|\n| 1 | 2 |\n\n```sh\nls\n```\n')
    assert.match(html, /<div class="wide" role="group" aria-label="Table" tabindex="0">\n<table>/)
    assert.match(html, /<tr>\n<td><\/td>\n<th>b<\/th>/)
    assert.match(html, /<pre tabindex="0"><code class="language-sh"><span class="c-built_in">ls<\/span>\n/)
  })

  test('groups samples in several languages into tabs that are all readable without JavaScript', () => {
    const block = (info: string) => `\`\`\`${info}\n1\n\`\`\`\n\n`
    const groupsIn = (markdown: string) =>
      [...htmlOf(markdown).matchAll(/<div class="samples"(?: data-kinds="([^"]*)")?>/g)].map(
        ([, kinds]) => kinds ?? 'none',
      )
    const [curl, sdk, php] = [
      block('sh title="curl" no-run'),
      block('ts title="SDK"'),
      block('php title="PHP"'),
    ]
    assert.deepEqual(groupsIn(curl + sdk + php), ['curl SDK PHP'])
    assert.deepEqual(groupsIn(`${curl}${sdk}And:\n\n${php}`), ['curl SDK', 'none'])
    assert.deepEqual(groupsIn(`${curl}${block('sh')}${php}`), ['none', 'none'])
    assert.deepEqual(groupsIn(`- a\n\n${(curl + sdk).replace(/^(?=.)/gm, '  ')}`), ['curl SDK'])
    // No tabs for duplicate titles, or for titles that are not a selectable language.
    assert.deepEqual(groupsIn(curl + curl), ['none'])
    assert.deepEqual(groupsIn(curl + block('js title="Express"')), ['none'])
    const html = htmlOf(curl + sdk)
    assert.deepEqual(
      [
        ...html.matchAll(
          /<p class="kind">([^<]*)<\/p>\n<div class="code"><pre tabindex="0"><code class="([^"]*)">/g,
        ),
      ].map(([, title, language]) => [title, language]),
      [
        ['curl', 'language-sh'],
        ['TypeScript', 'language-ts'],
      ],
    )
    assert.doesNotMatch(html, /no-run/)
  })

  test('has anchors for the rows of reference tables that are named by code', () => {
    const table = '| Status | Reason |\n|---|---|\n| 400 | `a_b` |\n| 404 | `a_b` |\n| 409 | c |\n'
    const { html } = renderMarkdown(table, { resolveLink: () => undefined, hasRowAnchors: true })
    assert.deepEqual(
      [...html.matchAll(/<tr(?: id="([^"]*)")?>/g)].map(([, id]) => id),
      [undefined, 'a_b', 'a_b-1', undefined],
    )
    assert.doesNotMatch(htmlOf(table), / id=/)
  })

  test('shows images that exist, with their size', () => {
    const picture = { address: '/docs/a.png', width: 3, height: 2 }
    const { html } = renderMarkdown('![a "b"](a.png) ![c](c.png)', {
      resolveLink: () => undefined,
      resolvePicture: (href) => (href === 'a.png' ? picture : undefined),
    })
    assert.equal(
      html,
      '<p><img src="/docs/a.png" alt="a &quot;b&quot;" width="3" height="2" loading="lazy"> c</p>\n',
    )
  })

  test('omits comments for people who edit the file', () => {
    assert.equal(
      htmlOf('<!-- Written by code. -->\n\nText\n\n<!-- Not\nshown. -->\n\n<!-- End. -->\nMore'),
      '<p>Text</p>\n<p>More</p>\n',
    )
    assert.match(htmlOf('```html\n<!-- shown -->\n```'), /shown/)
  })
})
