import { footSize, gap, muted, Sheet } from '../../platform/pages/sheet.ts'
import { brandColors } from './color.ts'
import { contactOf, type ReceiptItem, type ReceiptView } from './receipt-page.ts'

/** A receipt. The same view gives the same bytes: what a PDF dates itself with is the time of the payment. */
export async function renderReceiptPdf(view: ReceiptView): Promise<Buffer> {
  const { t, merchant, orderNumber, paidAt } = view
  const title = `${t.heading} ${orderNumber}`
  const sheet = new Sheet({ title, author: merchant, lang: t.lang, date: paidAt.time })
  writeHead(sheet, view)
  writeFacts(sheet, view)
  writeItems(sheet, view)
  writeSum(sheet, view)
  return sheet.end(orderNumber, t.page)
}

function writeHead(sheet: Sheet, { t, brand, environment, merchant, name }: ReceiptView): void {
  sheet.band(brandColors(brand ?? undefined).brand)
  if (environment === 'test') sheet.notice(t.testNotice)
  sheet.line(t.heading, { color: muted })
  sheet.line(merchant, { font: 'bold', size: 20 })
  sheet.line(name, { size: 12 })
  sheet.y += gap
}

function writeFacts(sheet: Sheet, { t, orderNumber, paidAt, provider, account }: ReceiptView): void {
  sheet.rule()
  sheet.pair(t.orderNumber, orderNumber)
  sheet.pair(t.paidAt, paidAt.text)
  sheet.pair(t.paidWith, provider)
  sheet.pair(t.account, account)
  sheet.y += gap
}

function writeItems(sheet: Sheet, { t, items }: ReceiptView): void {
  sheet.line(t.items, { font: 'bold' })
  sheet.y += 4
  const amountWidth = sheet.widest(items.map(({ total }) => total))
  for (const item of items) writeItem(sheet, item, amountWidth)
}

function writeItem(
  sheet: Sheet,
  { name, description, multiple, total }: ReceiptItem,
  amountWidth: number,
): void {
  const width = sheet.width - amountWidth - gap
  const small = [description, multiple].filter((text) => text !== null)
  sheet.turnUnless([name, ...small].reduce((sum, text) => sum + sheet.height(text, width), 8))
  sheet.text(total, width + gap, amountWidth, { align: 'right' })
  sheet.line(name, {}, width)
  for (const text of small) sheet.line(text, { color: muted }, width)
  sheet.y += 6
  sheet.rule()
}

function writeSum(sheet: Sheet, view: ReceiptView): void {
  const { t, total, returned } = view
  sheet.turnUnless(60)
  const style = { font: 'bold', size: 13 } as const
  sheet.y += 4
  sheet.text(total, 0, sheet.width, { ...style, align: 'right' })
  sheet.line(t.total, style)
  sheet.y += 8
  for (const { text, amount } of returned) {
    sheet.turnUnless(40)
    sheet.pair(text, amount)
  }
  sheet.line(t.keep, { size: footSize, color: muted })
  const contact = contactOf(view)
  if (contact) sheet.line(`${t.questions} ${contact}`, { size: footSize, color: muted })
}
