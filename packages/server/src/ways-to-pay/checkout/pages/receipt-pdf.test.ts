import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { formatMoney } from '@pesewa/values'
import { getDocumentProxy } from 'unpdf'
import type { ReceiptView } from './receipt-page.ts'
import { renderReceiptPdf } from './receipt-pdf.ts'
import { receiptTexts } from './receipt-texts.ts'

const view: ReceiptView = {
  t: receiptTexts.en,
  merchant: 'Aminata’s Cloth',
  name: 'Order 42',
  orderNumber: '482915037264',
  paidAt: { text: '21 November 2026 at 10:00 GMT', time: new Date('2026-11-21T10:00:00Z') },
  provider: 'Orange Money SL',
  account: '+23276****56',
  transaction: 'MP261121.1000.A12345',
  returned: [],
  items: [{ name: 'Cloth', description: null, multiple: '2 × Le 150.00', total: 'Le 300.00' }],
  total: 'Le 300.00',
  brand: null,
  environment: 'live',
}

const most = 9_007_199_254_740_991n

type Piece = { str: string; transform: number[]; width: number; height: number }

/** Returns the visible text of every page, with its position. */
async function read(pdf: Buffer) {
  const document = await getDocumentProxy(new Uint8Array(pdf))
  const pages: Piece[][] = []
  for (let i = 1; i <= document.numPages; i++) {
    const { items } = await (await document.getPage(i)).getTextContent()
    pages.push((items as Piece[]).filter(({ str }) => str.trim() !== ''))
  }
  const text = pages.flat().map(({ str }) => str)
  return {
    pages,
    text: text.join(' ').replace(/\s+/g, ' '),
    info: (await document.getMetadata()).info as Record<string, unknown>,
  }
}

type Node = { role: string; children: (Node | { type: string; id: string })[] }
type Marked = { type: string; id?: string; str?: string; tag?: string }

/** Returns the text of a page as a screen reader reads it: each piece of text after its elements. */
async function elementsOf(page: {
  getStructTree(): Promise<unknown>
  getTextContent(how: object): Promise<{ items: unknown[] }>
}): Promise<string[]> {
  const texts = new Map<string, string>()
  const open: string[] = []
  for (const item of (await page.getTextContent({ includeMarkedContent: true })).items as Marked[]) {
    if (item.type === 'beginMarkedContentProps') open.push(item.id ?? '')
    else if (item.type === 'beginMarkedContent') open.push('')
    else if (item.type === 'endMarkedContent') open.pop()
    else if (item.str) {
      assert.notEqual(open.length, 0, `${item.str} is in no element, and is not an artifact`)
      texts.set(open.at(-1)!, (texts.get(open.at(-1)!) ?? '') + item.str)
    }
  }
  const spoken = (node: Node, roles: string[]): string[] =>
    node.children.flatMap((child) =>
      'role' in child
        ? spoken(child, [...roles, child.role])
        : [`${roles.join(' ')}: ${(texts.get(child.id) ?? '').trim()}`],
    )
  const [document] = ((await page.getStructTree()) as Node).children as Node[]
  assert.equal(document?.role, 'Document')
  return spoken(document!, [])
}

const [pageWidth, pageHeight, margin] = [595.28, 841.89, 56]

function assertInside(pages: Piece[][]) {
  for (const { str, transform, width, height } of pages.flat()) {
    const [x, y] = [transform[4]!, transform[5]!]
    assert.ok(x >= margin - 1 && x + width <= pageWidth - margin + 1, `${str} is at ${x}, ${width} wide`)
    assert.ok(y >= margin - height && y <= pageHeight - margin + 1, `${str} is at ${y}`)
  }
}

describe('a PDF receipt', () => {
  test('shows what was paid, to whom, when and how', async () => {
    const { text, pages, info } = await read(await renderReceiptPdf(view))
    assert.equal(
      text,
      'Receipt Aminata’s Cloth Order Order 42 Order number 482915037264 Paid on 21 November 2026 at 10:00 GMT ' +
        'Paid with Orange Money SL From +23276****56 Provider reference MP261121.1000.A12345 ' +
        'Items Cloth 2 × Le 150.00 Le 300.00 Total paid Le 300.00 Keep the order number. The merchant can use it to find your payment.',
    )
    assert.equal(info.Title, 'Receipt 482915037264')
    assert.equal(info.Author, 'Aminata’s Cloth')
    assert.equal(info.CreationDate, 'D:20261121100000Z')
    assertInside(pages)
  })

  test('shows refunds with their dates', async () => {
    const returned = [
      { text: 'Refunded on 22 November 2026 at 10:00 GMT', amount: 'Le 50.00' },
      { text: 'Refunded on 23 November 2026 at 10:00 GMT', amount: 'Le 250.00' },
    ]
    const { text, pages } = await read(await renderReceiptPdf({ ...view, returned }))
    assert.match(
      text,
      /Total paid Le 300\.00 Refunded on 22 November 2026 at 10:00 GMT Le 50\.00 Refunded on 23 .* Le 250\.00 Keep/,
    )
    const many = Array.from({ length: 20 }, () => returned[0]!)
    assertInside((await read(await renderReceiptPdf({ ...view, returned: many }))).pages)
    assertInside(pages)
  })

  test('is tagged with its language, its structure and its reading order', async () => {
    const returned = [{ text: 'Remboursé le 22 novembre 2026', amount: '50,00 Le' }]
    const items = Array.from({ length: 40 }, (_, i) => ({ ...view.items[0]!, name: `Item ${i}` }))
    const pdf = await renderReceiptPdf({
      ...view,
      t: receiptTexts.fr,
      returned,
      items,
      environment: 'test',
    })
    const document = await getDocumentProxy(new Uint8Array(pdf))
    assert.ok(document.numPages > 1)
    assert.equal((await document.getMarkInfo())?.Marked, true)
    const info = (await document.getMetadata()).info as Record<string, unknown>
    assert.equal(info.Language, 'fr')
    const spoken = (
      await Promise.all(
        Array.from({ length: document.numPages }, async (_, i) => elementsOf(await document.getPage(i + 1))),
      )
    ).flat()
    const row = (head: string, ...data: string[]) => [
      `Table TR TH: ${head}`,
      ...data.map((one) => `Table TR TD: ${one}`),
    ]
    assert.deepEqual(spoken.slice(0, 15), [
      'P: Paiement de test. Aucun argent réel n’a été transféré.',
      'H1: Reçu',
      'P: Aminata’s Cloth',
      ...row('Commande', 'Order 42'),
      ...row('Numéro de commande', '482915037264'),
      ...row('Payé le', '21 November 2026 at 10:00 GMT'),
      ...row('Payé avec', 'Orange Money SL'),
      ...row('Depuis', '+23276****56'),
      ...row('Référence de l’opérateur', 'MP261121.1000.A12345'),
    ])
    assert.deepEqual(spoken.slice(15, 19), [
      'H2: Articles',
      'Table TR TH P: Item 0',
      'Table TR TH P: 2 × Le 150.00',
      'Table TR TD: Le 300.00',
    ])
    assert.deepEqual(spoken.slice(-5), [
      ...row('Total payé', 'Le 300.00'),
      ...row('Remboursé le 22 novembre 2026', '50,00 Le'),
      'P: Conservez le numéro de commande. Il permet au commerçant de retrouver votre paiement.',
    ])
  })

  test('is byte-for-byte identical for the same payment', async () => {
    const first = await renderReceiptPdf(view)
    await renderReceiptPdf({ ...view, name: 'Another', brand: '#b3261e' })
    assert.ok(first.equals(await renderReceiptPdf(view)))
  })

  test('contains all currency signs and all letters of our languages', async () => {
    const amounts = ['GHS', 'NGN', 'XOF', 'KES', 'SOS'].map((currency) =>
      formatMoney({ currency, value: most }),
    )
    const names = ['Été à Côté œuvre', 'Ɔkɔ Ŋŋ Ɛɛ ẹ̀kọ́ ş ğ', 'Ünïcödé ß', 'Ação São Tomé']
    const items = amounts.map((total, i) => ({
      name: names[i] ?? 'x',
      description: null,
      multiple: null,
      total,
    }))
    const { text, pages } = await read(await renderReceiptPdf({ ...view, items }))
    for (const sign of ['₵', '₦', ...amounts, ...names.slice(0, 1), ...names.slice(2)])
      assert.ok(text.includes(sign.normalize()), `${sign} is not in: ${text}`)
    assertInside(pages)
  })

  test('uses as many pages as sixteen long items need, and stays within the margins', async () => {
    const total = formatMoney({ currency: 'SOS', value: most })
    const items = Array.from({ length: 16 }, (_, i) => ({
      name: `${i} ${'Wide'.repeat(25)}`.slice(0, 100),
      description: 'W'.repeat(100),
      multiple: `100,000 × ${total}`,
      total,
    }))
    const long = {
      ...view,
      merchant: 'M'.repeat(255),
      name: 'W'.repeat(150),
      items,
      total,
      environment: 'test' as const,
    }
    const { pages, text } = await read(await renderReceiptPdf(long))
    assert.ok(pages.length > 1)
    assert.ok(text.includes('Test payment. No real money moved.'))
    assertInside(pages)
    for (const [i, page] of pages.entries())
      assert.equal(page.at(-1)!.str, `Page ${i + 1} of ${pages.length}`)
    for (let i = 0; i < 16; i++) assert.match(text, new RegExp(`\\b${i} Wide`))
  })

  test('renders the merchant’s input as text, even if it is PDF syntax', async () => {
    const hostile = [
      ') Tj ET /OpenAction << /S /JavaScript /JS (app.alert(1)) >> (',
      'endstream endobj trailer << /Root 9 0 R >> %%EOF',
      '<script>alert(1)</script> \\) \\( %',
    ]
    const items = hostile.map((name) => ({ name, description: name, multiple: null, total: 'Le 1.00' }))
    const pdf = await renderReceiptPdf({ ...view, merchant: hostile[0]!, name: hostile[1]!, items })
    const { text, info } = await read(pdf)
    for (const written of hostile) assert.ok(text.includes(written), `${written} is not in: ${text}`)
    assert.equal(info.Author, hostile[0])
    const document = await getDocumentProxy(new Uint8Array(pdf))
    assert.equal(await document.getJSActions(), null)
    assert.equal(await document.getOpenAction(), null)
  })

  test('keeps lines and text direction, and tolerates characters missing from its font', async () => {
    const items = [
      { name: 'a\nb\tc\u0007d\u2028e', description: '\u202eesrever', multiple: null, total: 'Le 1.00' },
      { name: '🦜 አማርኛ 漢字', description: 'مرحبا', multiple: null, total: 'Le 1.00' },
    ]
    const { text, pages } = await read(await renderReceiptPdf({ ...view, items }))
    assert.match(text, /a b c d e/)
    assert.match(text, /esrever/)
    assertInside(pages)
  })
})
