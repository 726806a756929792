import { footSize, gap, muted, Sheet } from '../../../platform/pages/sheet.ts'
import { brandColors } from './color.ts'
import { contactOf, factsOf, type ReceiptItem, type ReceiptView } from './receipt-page.ts'

/**
 * Renders a receipt as a PDF. The same view always yields the same bytes, because the date of the PDF is the
 * time of the payment.
 */
export async function renderReceiptPdf(view: ReceiptView): Promise<Buffer> {
  const { t, merchant, orderNumber, paidAt } = view
  const title = `${t.heading} ${orderNumber}`
  const sheet = new Sheet({ title, author: merchant, lang: t.lang, date: paidAt.time, isTagged: true })
  writeHead(sheet, view)
  writeFacts(sheet, view)
  writeItems(sheet, view)
  writeSum(sheet, view)
  return sheet.end(orderNumber, t.page)
}

function writeHead(
  sheet: Sheet,
  { t, brand, environment, merchant, identity, merchantLogo }: ReceiptView,
): void {
  sheet.band(brandColors(brand ?? undefined).brand)
  if (environment === 'test') sheet.notice(t.testNotice)
  if (merchantLogo) sheet.picture(merchantLogo.image)
  sheet.line(t.heading, { color: muted, tag: 'H1' })
  sheet.line(merchant, { font: 'bold', size: 20 })
  for (const line of identity) sheet.line(line, { color: muted })
  sheet.y += gap
}

function writeFacts(sheet: Sheet, view: ReceiptView): void {
  sheet.rule()
  sheet.within('Table', () => {
    for (const { label, value } of factsOf(view)) sheet.pair(label, value)
  })
  sheet.y += gap
}

function writeItems(sheet: Sheet, { t, items }: ReceiptView): void {
  sheet.line(t.items, { font: 'bold', size: 12, tag: 'H2' })
  sheet.y += 6
  sheet.rule()
  const amountWidth = sheet.widest(items.map(({ total }) => total))
  sheet.within('Table', () => {
    for (const item of items) sheet.within('TR', () => writeItem(sheet, item, amountWidth))
  })
}

function writeItem(
  sheet: Sheet,
  { name, description, multiple, total }: ReceiptItem,
  amountWidth: number,
): void {
  const width = sheet.width - amountWidth - gap
  const small = [description, multiple].filter((text) => text !== null)
  sheet.turnUnless([name, ...small].reduce((sum, text) => sum + sheet.height(text, width), 8))
  const top = sheet.y
  sheet.within('TH', () => {
    sheet.line(name, {}, width)
    for (const text of small) sheet.line(text, { color: muted }, width)
  })
  sheet.text(total, width + gap, amountWidth, { align: 'right', tag: 'TD' }, top)
  sheet.y += 6
  sheet.rule()
}

function writeSum(sheet: Sheet, view: ReceiptView): void {
  const { t, total, returned } = view
  sheet.turnUnless(60)
  const style = { font: 'bold', size: 13 } as const
  sheet.y += 4
  sheet.within('Table', () => {
    const top = sheet.y
    sheet.within('TR', () => {
      sheet.line(t.total, { ...style, tag: 'TH' })
      sheet.text(total, 0, sheet.width, { ...style, align: 'right', tag: 'TD' }, top)
    })
    sheet.y += 8
    for (const { text, amount } of returned) {
      sheet.turnUnless(40)
      sheet.pair(text, amount)
    }
  })
  sheet.y += 4
  for (const note of view.notes) {
    sheet.turnUnless(40)
    sheet.line(note)
  }
  sheet.line(t.keep, { size: footSize, color: muted })
  const contact = contactOf(view)
  if (contact) sheet.line(`${t.questions} ${contact}`, { size: footSize, color: muted })
  const { code, checkUrl } = view
  sheet.line(t.check(code, checkUrl), { size: footSize, color: muted, link: `${checkUrl}?code=${code}` })
}
