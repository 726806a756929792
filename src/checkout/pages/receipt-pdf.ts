import { readFileSync } from 'node:fs'
import PDFDocument from 'pdfkit'
import { brandColors } from './color.ts'
import type { ReceiptItem, ReceiptView } from './receipt-page.ts'

// Lengths are points: 1/72 of an inch.

// Files, which pdfkit reads again for each document. A font that documents share remembers signs of the one before, and
// then the next one's text cannot be searched or copied.
const fonts = {
  regular: readFileSync(new URL(import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf'))),
  bold: readFileSync(new URL(import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSansCondensed-Bold.ttf'))),
}

const margin = 56
const gap = 16
const lineGap = 2
const footSize = 9
const ink = '#16191d'
const muted = '#565e68'
const hairline = '#dfe3e8'
const notice = { ink: '#5a4200', fill: '#ffefc2' }

/**
 * A receipt on A4, as many pages as it takes. The same view gives the same bytes: what a PDF dates itself with is the
 * time of the payment.
 */
export async function renderReceiptPdf(view: ReceiptView): Promise<Buffer> {
  const sheet = new Sheet(view)
  sheet.head()
  sheet.facts()
  sheet.items()
  sheet.sum()
  return sheet.end()
}

type Style = { font?: keyof typeof fonts; size?: number; color?: string; align?: 'left' | 'right' }

/** Paper that is written from top to bottom. */
class Sheet {
  readonly #view: ReceiptView
  readonly #doc: PDFKit.PDFDocument
  readonly #bytes: Promise<Buffer>
  readonly #width: number
  #y = margin

  constructor(view: ReceiptView) {
    const { t, merchant, orderNumber, paidAt } = view
    this.#view = view
    this.#doc = new PDFDocument({
      size: 'A4',
      // Where a page ends is decided here, not by pdfkit.
      margin: 0,
      bufferPages: true,
      lang: t.lang,
      displayTitle: true,
      info: {
        Title: `${t.heading} ${orderNumber}`,
        Author: plain(merchant),
        Creator: 'Pesewa',
        CreationDate: paidAt.time,
      },
    })
    for (const [name, file] of Object.entries(fonts)) this.#doc.registerFont(name, file)
    this.#width = this.#doc.page.width - 2 * margin
    const chunks: Buffer[] = []
    this.#bytes = new Promise((resolve, reject) => {
      this.#doc.on('data', (chunk: Buffer) => chunks.push(chunk))
      this.#doc.on('end', () => resolve(Buffer.concat(chunks)))
      this.#doc.on('error', reject)
    })
  }

  head(): void {
    const { t, brand, environment, merchant, name } = this.#view
    this.#doc.rect(0, 0, this.#doc.page.width, 6).fill(brandColors(brand ?? undefined).brand)
    if (environment === 'test') this.#notice(t.testNotice)
    this.#line(t.heading, { color: muted })
    this.#line(merchant, { font: 'bold', size: 20 })
    this.#line(name, { size: 12 })
    this.#y += gap
  }

  #notice(text: string): void {
    const height = 26
    this.#doc.rect(margin, this.#y, this.#width, height).fill(notice.fill)
    this.#text(text, margin + 10, this.#y + 7, this.#width - 20, { font: 'bold', color: notice.ink })
    this.#y += height + gap
  }

  facts(): void {
    const { t, orderNumber, paidAt, provider, account } = this.#view
    this.#rule()
    this.#pair(t.orderNumber, orderNumber)
    this.#pair(t.paidAt, paidAt.text)
    this.#pair(t.paidWith, provider)
    this.#pair(t.account, account)
    this.#y += gap
  }

  #pair(label: string, value: string): void {
    const half = (this.#width - gap) / 2
    this.#text(label, margin, this.#y, half, { color: muted })
    this.#text(value, margin + half + gap, this.#y, half, { align: 'right' })
    this.#y += Math.max(this.#height(label, half), this.#height(value, half)) + 6
    this.#rule()
  }

  items(): void {
    const { t, items } = this.#view
    this.#line(t.items, { font: 'bold' })
    this.#y += 4
    const amountWidth = this.#widest(items.map(({ total }) => total))
    for (const item of items) this.#item(item, amountWidth)
  }

  #item({ name, description, multiple, total }: ReceiptItem, amountWidth: number): void {
    const width = this.#width - amountWidth - gap
    const small = [description, multiple].filter((text) => text !== null)
    const height = [name, ...small].reduce((sum, text) => sum + this.#height(text, width), 8)
    if (this.#y + height > this.#floor) this.#turn()
    this.#text(total, margin + width + gap, this.#y, amountWidth, { align: 'right' })
    this.#line(name, {}, width)
    for (const text of small) this.#line(text, { color: muted }, width)
    this.#y += 6
    this.#rule()
  }

  sum(): void {
    const { t, total, returned } = this.#view
    if (this.#y + 60 > this.#floor) this.#turn()
    const style = { font: 'bold', size: 13 } as const
    this.#y += 4
    this.#text(total, margin, this.#y, this.#width, { ...style, align: 'right' })
    this.#line(t.total, style)
    this.#y += 8
    for (const { text, amount } of returned) {
      if (this.#y + 40 > this.#floor) this.#turn()
      this.#pair(text, amount)
    }
    this.#line(t.keep, { size: footSize, color: muted })
  }

  end(): Promise<Buffer> {
    const { t, orderNumber } = this.#view
    const { count } = this.#doc.bufferedPageRange()
    const style = { size: footSize, color: muted } as const
    for (let page = 0; page < count && count > 1; page++) {
      this.#doc.switchToPage(page)
      this.#text(orderNumber, margin, this.#floor + gap, this.#width, style)
      this.#text(t.page(page + 1, count), margin, this.#floor + gap, this.#width, {
        ...style,
        align: 'right',
      })
    }
    this.#doc.end()
    return this.#bytes
  }

  /** Nothing but the foot is written below. */
  get #floor(): number {
    return this.#doc.page.height - margin - gap
  }

  #turn(): void {
    this.#doc.addPage()
    this.#y = margin
  }

  #rule(): void {
    this.#doc.rect(margin, this.#y, this.#width, 0.75).fill(hairline)
    this.#y += 7
  }

  #line(text: string, style: Style = {}, width = this.#width): void {
    this.#text(text, margin, this.#y, width, style)
    this.#y += this.#height(text, width, style)
  }

  #text(text: string, x: number, y: number, width: number, style: Style = {}): void {
    const { color = ink, align = 'left' } = style
    this.#use(style).fillColor(color).text(plain(text), x, y, { width, align, lineGap })
  }

  #height(text: string, width: number, style: Style = {}): number {
    return this.#use(style).heightOfString(plain(text), { width, lineGap })
  }

  #widest(texts: string[]): number {
    const doc = this.#use({})
    // A hair more than it is, so that nothing breaks by rounding.
    return Math.max(...texts.map((text) => doc.widthOfString(plain(text)))) + 1
  }

  #use({ font = 'regular', size = 10 }: Style): PDFKit.PDFDocument {
    return this.#doc.font(font).fontSize(size)
  }
}

/** On one line, and in the order in which it is written: without what breaks lines or turns the direction around. */
const plain = (text: string) =>
  text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
