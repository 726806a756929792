import { setImmediate as nextTurn } from 'node:timers/promises'
import { formatMoney } from '../countries/money.ts'
import type { Database } from '../platform/db/database.ts'
import { footSize, gap, muted, Sheet, type TextStyle } from '../platform/pages/sheet.ts'
import { argumentRefusal } from '../platform/refusals.ts'
import type { Scope } from '../platform/scope.ts'
import {
  type AccountStatement,
  type AccountStatementLine,
  type StatementTotals,
  walkStatement,
} from './account-statements.ts'
import { type StatementTexts, statementTexts } from './statement-texts.ts'

const maxPdfLines = 2_000 // limit: lines of a statement as PDF
/** Others wait while these are written: a line takes a quarter of a millisecond. */
const linesAtOnce = 20

/**
 * A statement for people. Nothing is printed that can be changed later, as names can, and it is dated with its end: the same
 * range has the same bytes.
 */
export async function* writePdf(
  db: Database,
  scope: Scope,
  statement: AccountStatement,
  acceptLanguage: string | undefined,
): AsyncGenerator<Buffer> {
  if (statement.last - statement.first >= maxPdfLines)
    throw argumentRefusal(
      'to',
      `leaves more than ${maxPdfLines} lines: narrow the range, or read it as text/csv`,
    )
  const writer = new Writer(statement, statementTexts(acceptLanguage))
  writer.head(scope.environment === 'test')
  const stretches = walkStatement(db, scope, statement)
  let stretch = await stretches.next()
  for (; !stretch.done; stretch = await stretches.next())
    for (const [i, line] of stretch.value.entries()) {
      if (i % linesAtOnce === 0) await nextTurn()
      writer.line(line)
    }
  writer.sums(stretch.value)
  yield await writer.end()
}

const band = '#16191d'
const rowHeight = 19
const small: TextStyle = { size: 8 }
const bold: TextStyle = { font: 'bold' }

/** A row of the table: what stands in each column. */
type Cells = { time?: string; reference?: string; amount?: string; balance?: string }

class Writer {
  readonly #sheet: Sheet
  readonly #statement: AccountStatement
  readonly #t: StatementTexts
  readonly #times: Intl.DateTimeFormat

  constructor(statement: AccountStatement, t: StatementTexts) {
    const { account, range } = statement
    this.#statement = statement
    this.#t = t
    this.#sheet = new Sheet({
      title: `${t.heading} ${account.uvan}`,
      author: 'Pesewa',
      lang: t.lang,
      date: range.to,
    })
    this.#times = new Intl.DateTimeFormat(t.locale, {
      ...{
        day: '2-digit',
        month: '2-digit',
        year: 'numeric',
        hour: '2-digit',
        minute: '2-digit',
        second: '2-digit',
      },
      hourCycle: 'h23',
      timeZone: range.timeZone,
    })
  }

  head(isTest: boolean): void {
    const { account, range, opening, final } = this.#statement
    const t = this.#t
    this.#sheet.band(band)
    if (isTest) this.#sheet.notice(t.testNotice)
    if (!final) this.#sheet.notice(t.provisional)
    this.#sheet.line(t.heading, { font: 'bold', size: 20 })
    this.#sheet.y += gap
    this.#sheet.rule()
    this.#sheet.pair(t.account, account.uvan)
    this.#sheet.pair(t.currency, account.currency)
    this.#sheet.pair(t.from, this.#zoned(range.from))
    this.#sheet.pair(t.to, this.#zoned(range.to))
    this.#sheet.y += gap
    this.#titles()
    this.#row({ reference: t.opening, balance: this.#money(opening) }, bold)
  }

  line({ at, reference, amount, balance, feeCode }: AccountStatementLine): void {
    if (this.#sheet.turnUnless(rowHeight)) this.#titles()
    this.#row({
      time: this.#times.format(at),
      reference: feeCode ? `${reference} · ${this.#t.fee}` : reference,
      amount: this.#money(amount),
      balance: this.#money(balance),
    })
  }

  sums({ credits, debits, count }: StatementTotals): void {
    const t = this.#t
    if (this.#sheet.turnUnless(5 * rowHeight + gap)) this.#titles()
    this.#row({ reference: t.credits, amount: this.#money(credits) }, bold)
    this.#row({ reference: t.debits, amount: this.#money(-debits) }, bold)
    this.#row({ reference: t.closing, balance: this.#money(this.#statement.closing) }, bold)
    this.#sheet.y += 4
    this.#sheet.line(`${t.count(count.toLocaleString(t.locale))} ${t.proof}.`, {
      size: footSize,
      color: muted,
    })
  }

  end(): Promise<Buffer> {
    return this.#sheet.end(this.#statement.account.uvan, this.#t.page)
  }

  #titles(): void {
    const { time, reference, credit, debit, balance } = this.#t
    this.#row({ time, reference, amount: `${credit} / ${debit}`, balance }, { color: muted })
  }

  #row({ time = '', reference = '', amount = '', balance = '' }: Cells, style: TextStyle = {}): void {
    const { width } = this.#sheet
    const right: TextStyle = { ...small, ...style, align: 'right' }
    this.#sheet.text(time, 0, 92, { ...small, ...style })
    this.#sheet.text(reference, 96, width - 96 - 216, { ...small, ...style })
    this.#sheet.text(amount, width - 212, 104, right)
    this.#sheet.text(balance, width - 104, 104, right)
    this.#sheet.y += rowHeight - 7
    this.#sheet.rule()
  }

  #zoned = (moment: Date) => `${this.#times.format(moment)} (${this.#statement.range.timeZone})`

  #money = (value: bigint) =>
    formatMoney({ currency: this.#statement.account.currency, value }, this.#t.lang).replaceAll(' ', '\u00a0')
}
