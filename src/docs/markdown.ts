import { Marked, Renderer, Tokenizer, type Tokens } from 'marked'

/** Where a link of a document leads on this server, as written in an address; `undefined` where it leads nowhere here. */
export type ResolveLink = (href: string) => string | undefined

/** A document as HTML, and its first heading as text. HTML in the Markdown is text like any other. */
export function renderMarkdown(markdown: string, resolveLink: ResolveLink): { title: string; html: string } {
  const renderer = new DocumentRenderer(resolveLink)
  const options = { renderer, tokenizer: new WithoutHtml(), async: false } as const
  const html = new Marked().parse(withoutNotice(markdown), options)
  return { title: renderer.title ?? '', html }
}

/** Without what `npm run write` says above what it writes, which is for whoever would edit it. */
const withoutNotice = (markdown: string) => markdown.replace(/^<!--[\s\S]*?-->\s*/, '')

class WithoutHtml extends Tokenizer {
  override html() {
    return undefined
  }

  override tag() {
    return undefined
  }
}

class DocumentRenderer extends Renderer {
  readonly #resolveLink: ResolveLink
  readonly #headings = new Map<string, number>()
  title: string | undefined

  constructor(resolveLink: ResolveLink) {
    super()
    this.#resolveLink = resolveLink
  }

  override heading({ tokens, depth, text }: Tokens.Heading): string {
    this.title ??= plainText(text)
    return `<h${depth} id="${escaped(this.#newAnchor(text))}">${this.parser.parseInline(tokens)}</h${depth}>\n`
  }

  override link({ href, tokens }: Tokens.Link): string {
    const address = this.#resolveLink(href)
    const words = this.parser.parseInline(tokens)
    return address === undefined ? words : `<a href="${escaped(address)}">${words}</a>`
  }

  /** There are none: what it shows in words is shown. */
  override image({ text }: Tokens.Image): string {
    return escaped(text)
  }

  // What is wider than a phone scrolls by itself, with keys, too.

  override code(token: Tokens.Code): string {
    return super.code(token).replace('<pre>', '<pre tabindex="0">')
  }

  override table(token: Tokens.Table): string {
    return `<div class="wide" role="group" aria-label="Table" tabindex="0">\n${super.table(token)}</div>\n`
  }

  /** A column without a name has no heading, which would be read out as an empty one. */
  override tablecell(token: Tokens.TableCell): string {
    return token.header && token.text === '' ? '<td></td>\n' : super.tablecell(token)
  }

  /** As GitHub makes them, so that a link works there and here; the second of a kind ends in `-1`. */
  #newAnchor(heading: string): string {
    const anchor = plainText(heading)
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\- _]/gu, '')
      .replaceAll(' ', '-')
    const earlier = this.#headings.get(anchor) ?? 0
    this.#headings.set(anchor, earlier + 1)
    return earlier === 0 ? anchor : `${anchor}-${earlier}`
  }
}

/** A heading without the marks of code and links. */
const plainText = (markdown: string) => markdown.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('`', '')

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign)
