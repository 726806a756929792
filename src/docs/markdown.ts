import {
  getDefaults,
  Lexer,
  type MarkedOptions,
  Parser,
  Renderer,
  type Token,
  Tokenizer,
  type Tokens,
} from 'marked'
import { renderCode, renderSamples, type Sample } from './code.ts'
import { escaped } from './html.ts'

/** What a document names, and where that is on this server; `undefined` where it is nowhere here. */
export type Surroundings = {
  resolveLink(href: string): string | undefined
  resolvePicture?(href: string): Picture | undefined
}

/** Its size keeps the room for it free while it loads. */
export type Picture = { address: string; width: number; height: number }

export type Heading = { id: string; text: string; depth: number }

/** A document as it is shown. */
export type Rendered = { title: string; html: string; headings: Heading[] }

/** A document as HTML, and its first heading as text. HTML in the Markdown is text like any other. */
export function renderMarkdown(markdown: string, surroundings: Surroundings): Rendered {
  const renderer = new DocumentRenderer(surroundings)
  const options = { ...getDefaults(), tokenizer: new WithoutHtml(), renderer }
  const html = new DocumentParser(options).parse(new Lexer(options).lex(withoutNotice(markdown)))
  return { title: renderer.title ?? '', html, headings: renderer.headings }
}

/** One paragraph's worth, without a block around it. */
export function renderInline(markdown: string, surroundings: Surroundings): string {
  const options = {
    ...getDefaults(),
    tokenizer: new WithoutHtml(),
    renderer: new DocumentRenderer(surroundings),
  }
  const parser = new DocumentParser(options)
  return parser.parseInline(new Lexer(options).inlineTokens(markdown))
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

class DocumentParser extends Parser {
  constructor(options: MarkedOptions) {
    super(options)
    // The one that it was made with shows what is inside with this parser.
    if (options.renderer) options.renderer.parser = this
  }

  override parse(tokens: Token[]): string {
    return super.parse(gathered(tokens))
  }
}

/** Blocks of code with titles that stand directly one after another are one thing, in several languages. */
function gathered(tokens: Token[]): Token[] {
  const all: Token[] = []
  let samples: Sample[] = []
  const end = () => {
    // HTML that we made: what the document has of it is text.
    if (samples.length > 0) all.push({ type: 'html', raw: '', text: renderSamples(samples) })
    samples = []
  }
  for (const token of tokens) {
    const sample = token.type === 'code' ? sampleOf(token.text, token.lang) : undefined
    if (sample?.title !== undefined) samples.push(sample)
    else if (token.type !== 'space' || samples.length === 0) {
      end()
      all.push(token)
    }
  }
  end()
  return all
}

/** Of `sh title="curl" no-run` the language and the title: other words are for those that run it. */
function sampleOf(code: string, info = ''): Sample {
  const [language = ''] = info.split(/\s/, 1)
  const [, title] = /\stitle="([^"]*)"/.exec(info) ?? []
  return { code: `${code.replace(/\n$/, '')}\n`, language, title }
}

class DocumentRenderer extends Renderer {
  readonly #surroundings: Surroundings
  readonly #anchors = new Map<string, number>()
  readonly headings: Heading[] = []
  title: string | undefined

  constructor(surroundings: Surroundings) {
    super()
    this.#surroundings = surroundings
  }

  override heading({ tokens, depth, text }: Tokens.Heading): string {
    const heading = { id: this.#newAnchor(text), text: plainText(text), depth }
    this.title ??= heading.text
    this.headings.push(heading)
    const [id, words] = [escaped(heading.id), this.parser.parseInline(tokens)]
    // Whoever wants to send it to somebody copies the link; the title of a page has the page's own address.
    const isLink = depth > 1 && heading.text !== '' && !tokens.some(({ type }) => type === 'link')
    return `<h${depth} id="${id}">${isLink ? `<a href="#${id}">${words}</a>` : words}</h${depth}>\n`
  }

  override link({ href, tokens }: Tokens.Link): string {
    const address = this.#surroundings.resolveLink(href)
    const words = this.parser.parseInline(tokens)
    return address === undefined ? words : `<a href="${escaped(address)}">${words}</a>`
  }

  /** Without the file, what it shows in words is shown. */
  override image({ href, text }: Tokens.Image): string {
    const picture = this.#surroundings.resolvePicture?.(href)
    return picture
      ? `<img src="${escaped(picture.address)}" alt="${escaped(text)}" width="${picture.width}" height="${picture.height}" loading="lazy">`
      : escaped(text)
  }

  override code({ text, lang }: Tokens.Code): string {
    return renderCode(sampleOf(text, lang))
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
    const anchor = anchorOf(heading)
    const earlier = this.#anchors.get(anchor) ?? 0
    this.#anchors.set(anchor, earlier + 1)
    return earlier === 0 ? anchor : `${anchor}-${earlier}`
  }
}

/** `GET /v1/payouts` is `get-v1payouts`. */
export const anchorOf = (heading: string) =>
  plainText(heading)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\- _]/gu, '')
    .replaceAll(' ', '-')

/** A heading without the marks of code and links. */
const plainText = (markdown: string) => markdown.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('`', '')
