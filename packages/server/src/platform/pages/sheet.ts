import { readFileSync } from 'node:fs'
import PDFDocument from 'pdfkit'

// All lengths are in points (1/72 inch).

// The font files, which pdfkit parses again for each document. If documents shared a font, the font would
// remember the glyphs of the previous document, and the text of the next one could not be searched or copied.
const fonts = {
  regular: readFileSync(new URL(import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf'))),
  bold: readFileSync(new URL(import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSansCondensed-Bold.ttf'))),
}

const margin = 56
export const footSize = 9
const lineGap = 2
/** Options of a table cell that is the header of its row. The library's types lack `scope`. */
const headOfRow = { title: '', scope: 'Row' }
const ink = '#16191d'
const hairline = '#dfe3e8'
const notice = { ink: '#5a4200', fill: '#ffefc2' }
export const muted = '#565e68'
/** Space between columns and between blocks. */
export const gap = 16

export type TextStyle = {
  font?: keyof typeof fonts
  size?: number
  color?: string
  align?: 'left' | 'right'
  /** URL that the text links to. */
  link?: string
  /** Structure tag on a tagged sheet. Defaults to `P`. */
  tag?: Tag
}

/** PDF structure types (ISO 32000-1, 14.8.4). */
type Tag = 'Document' | 'Sect' | 'H1' | 'H2' | 'P' | 'Table' | 'TR' | 'TH' | 'TD'

/**
 * `date` is the creation date of the PDF. It must be given, so that the same content always yields the same
 * bytes. `isTagged` adds a structure tree with roles and reading order for screen readers, which takes
 * additional memory for every text.
 */
export type SheetInfo = { title: string; author: string; lang: string; date: Date; isTagged?: boolean }

/** An A4 document that is written from top to bottom and has as many pages as needed. */
export class Sheet {
  readonly #doc: PDFKit.PDFDocument
  readonly #bytes: Promise<Buffer>
  /** The structure elements that are open, with the innermost one last. Empty on an untagged sheet. */
  readonly #elements: PDFKit.PDFStructureElement[] = []
  readonly width: number
  y = margin

  constructor({ title, author, lang, date, isTagged = false }: SheetInfo) {
    this.#doc = new PDFDocument({
      size: 'A4',
      // Page breaks are decided here, not by pdfkit.
      margin: 0,
      bufferPages: true,
      lang,
      tagged: isTagged,
      displayTitle: true,
      info: { Title: title, Author: plain(author), Creator: 'Pesewa', CreationDate: date },
    })
    for (const [name, file] of Object.entries(fonts)) this.#doc.registerFont(name, file)
    if (isTagged) {
      const root = this.#doc.struct('Document')
      this.#doc.addStructure(root)
      this.#elements.push(root)
    }
    this.width = this.#doc.page.width - 2 * margin
    const chunks: Buffer[] = []
    this.#bytes = new Promise((resolve, reject) => {
      this.#doc.on('data', (chunk: Buffer) => chunks.push(chunk))
      this.#doc.on('end', () => resolve(Buffer.concat(chunks)))
      this.#doc.on('error', reject)
    })
  }

  /** Draws a coloured band along the top edge. */
  band(color: string): void {
    this.#artifact(() => this.#doc.rect(0, 0, this.#doc.page.width, 6).fill(color))
  }

  /** Draws a PNG in the upper right corner. It is decoration, because the name follows as text. */
  picture(image: Buffer): void {
    const side = 48
    this.#artifact(() =>
      this.#doc.image(image, margin + this.width - side, margin, { fit: [side, side], align: 'right' }),
    )
  }

  notice(text: string): void {
    const height = 26
    this.#artifact(() => this.#doc.rect(margin, this.y, this.width, height).fill(notice.fill))
    this.text(text, 10, this.width - 20, { font: 'bold', color: notice.ink }, this.y + 7)
    this.y += height + gap
  }

  /** Writes a label on the left and its value on the right. */
  pair(label: string, value: string): void {
    const half = (this.width - gap) / 2
    this.within('TR', () => {
      this.text(label, 0, half, { color: muted, tag: 'TH' })
      this.text(value, half + gap, half, { align: 'right', tag: 'TD' })
    })
    this.y += Math.max(this.height(label, half), this.height(value, half)) + 6
    this.rule()
  }

  /**
   * Finishes the document. If it has several pages, `foot` and the page number are written at the bottom of
   * each.
   */
  end(foot: string, numberOf: (page: number, pages: number) => string): Promise<Buffer> {
    const { count } = this.#doc.bufferedPageRange()
    const style = { size: footSize, color: muted } as const
    for (let page = 0; page < count && count > 1; page++) {
      this.#doc.switchToPage(page)
      this.#artifact(() => {
        this.#write(foot, 0, this.width, style, this.#floor + gap)
        this.#write(numberOf(page + 1, count), 0, this.width, { ...style, align: 'right' }, this.#floor + gap)
      })
    }
    for (const element of this.#elements) element.end()
    this.#doc.end()
    return this.#bytes
  }

  /**
   * Starts a new page if there is not enough room, and returns whether it did. Only the footer is written below
   * the text area.
   */
  turnUnless(height: number): boolean {
    if (this.y + height <= this.#floor) return false
    this.#doc.addPage()
    this.y = margin
    return true
  }

  get #floor(): number {
    return this.#doc.page.height - margin - gap
  }

  rule(): void {
    this.#artifact(() => this.#doc.rect(margin, this.y, this.width, 0.75).fill(hairline))
    this.y += 7
  }

  line(text: string, style: TextStyle = {}, width = this.width): void {
    this.text(text, 0, width, style)
    this.y += this.height(text, width, style)
  }

  /** On a tagged sheet, groups everything that `write` writes into one element. */
  within(tag: Tag, write: () => void): void {
    const parent = this.#elements.at(-1)
    if (!parent) {
      write()
      return
    }
    const element = this.#doc.struct(tag)
    parent.add(element)
    this.#elements.push(element)
    write()
    this.#elements.pop()
    element.end()
  }

  /** `x` is the distance from the left margin. */
  text(text: string, x: number, width: number, style: TextStyle = {}, y = this.y): void {
    const parent = this.#elements.at(-1)
    if (!parent) {
      this.#write(text, x, width, style, y)
      return
    }
    const { tag = 'P' } = style
    const content = this.#doc.markStructureContent(tag)
    this.#write(text, x, width, style, y)
    this.#doc.endMarkedContent()
    parent.add(this.#doc.struct(tag, tag === 'TH' ? headOfRow : {}, [content]))
  }

  /** Draws decoration that screen readers ignore. */
  #artifact(draw: () => void): void {
    const isTagged = this.#elements.length > 0
    if (isTagged) this.#doc.markContent('Artifact', { type: 'Layout' })
    draw()
    if (isTagged) this.#doc.endMarkedContent()
  }

  #write(text: string, x: number, width: number, style: TextStyle, y: number): void {
    const { color = ink, align = 'left', link } = style
    this.#use(style)
      .fillColor(color)
      .text(plain(text), margin + x, y, { width, align, lineGap, ...(link && { link }) })
  }

  height(text: string, width: number, style: TextStyle = {}): number {
    return this.#use(style).heightOfString(plain(text), { width, lineGap })
  }

  widest(texts: string[], style: TextStyle = {}): number {
    const doc = this.#use(style)
    // The box is slightly wider than the measured text, so that rounding cannot cause a line break.
    return Math.max(...texts.map((text) => doc.widthOfString(plain(text)))) + 1
  }

  #use({ font = 'regular', size = 10 }: TextStyle): PDFKit.PDFDocument {
    return this.#doc.font(font).fontSize(size)
  }
}

/**
 * Removes line breaks and bidirectional controls from a text, so that it stays on one line in the order in
 * which it was written.
 */
const plain = (text: string) =>
  text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
