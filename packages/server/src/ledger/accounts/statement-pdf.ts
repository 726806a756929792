import { setImmediate as nextTurn } from 'node:timers/promises'
import { formatMoney, must } from '@pesewa/values'
import type { Reader } from '../../platform/db/database.ts'
import { footSize, gap, muted, Sheet, type TextStyle } from '../../platform/pages/sheet.ts'
import { argumentRefusal } from '../../platform/refusals.ts'
import type { Scope } from '../../platform/scope.ts'
import { findBrand, findLogo, identityOf } from '../../tenants/spaces/brands.ts'
import { ownerPageUrl, showOwner } from '../../tenants/spaces/ownership.ts'
import { selectSpace } from '../../tenants/spaces/store.ts'
import {
  type AccountStatement,
  type AccountStatementLine,
  type StatementTotals,
  walkStatement,
} from './account-statements.ts'
import { statementCode } from './statement-codes.ts'
import type { StatementParts } from './statement-files.ts'
import { kindOf } from './statement-shapes.ts'
import { type StatementTexts, statementTexts } from './statement-texts.ts'

type PdfParts = Pick<StatementParts, 'db' | 'seals' | 'baseUrl' | 'catalogue'>

export const maxPdfLines = 2_000 // limit: lines of a PDF statement
/**
 * The number of lines written before yielding to the event loop. Writing a line takes a quarter of a
 * millisecond.
 */
const linesAtOnce = 20

/**
 * Writes a statement as a PDF. The same range always results in the same bytes until the merchant changes its
 * name, logo, address or tax number. Its date is the end of the range.
 */
export async function* writePdf(
  parts: PdfParts,
  scope: Scope,
  statement: AccountStatement,
  acceptLanguage: string | undefined,
): AsyncGenerator<Buffer> {
  if (statement.last - statement.first >= maxPdfLines)
    throw argumentRefusal(
      'to',
      `makes the range exceed ${maxPdfLines} lines; narrow the range or request text/csv`,
    )
  const writer = new Writer(parts, scope, statement, statementTexts(acceptLanguage))
  writer.head(scope.environment === 'test', await holderOf(parts.db, scope, writer.texts))
  const stretches = walkStatement(parts.db, scope, statement)
  let stretch = await stretches.next()
  for (; !stretch.done; stretch = await stretches.next())
    for (const [i, line] of stretch.value.entries()) {
      if (i % linesAtOnce === 0) await nextTurn()
      writer.line(line)
    }
  writer.sums(stretch.value)
  yield await writer.end()
}

/** Who holds the account, as shown at the top of the statement. */
type Holder = { name: string; identity: string[]; logo: Buffer | undefined }

async function holderOf(db: Reader, scope: Scope, t: StatementTexts): Promise<Holder> {
  const brand = await findBrand(db, scope)
  const { name } = must(await selectSpace(db, scope.spaceId), 'Space of a statement')
  const logo = brand.logoId ? await findLogo(db, scope, brand.logoId) : undefined
  return { name: brand.name ?? name, identity: identityOf(brand, t.taxNumber), logo: logo?.image }
}

const band = '#16191d'
const rowHeight = 19
/** The height of a line, which includes a second row for its reference, provider and object. */
const lineHeight = 30
const small: TextStyle = { size: 8 }
const below: TextStyle = { size: 6.5, color: muted }
const linked = '#1f4fbf'
const bold: TextStyle = { font: 'bold' }

const timeWidth = 104
const whatFrom = timeWidth + 4
const amountWidth = 104
const amountsWidth = 2 * amountWidth + 4

/** The cells of a table row. */
type Cells = { time?: string; what?: string; amount?: string; balance?: string }

class Writer {
  readonly #sheet: Sheet
  readonly #parts: PdfParts
  readonly #scope: Scope
  readonly #statement: AccountStatement
  readonly #t: StatementTexts
  readonly #times: Intl.DateTimeFormat

  constructor(parts: PdfParts, scope: Scope, statement: AccountStatement, t: StatementTexts) {
    const { account, range } = statement
    this.#parts = parts
    this.#scope = scope
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

  get texts(): StatementTexts {
    return this.#t
  }

  head(isTest: boolean, { name, identity, logo }: Holder): void {
    const { account, range, opening, final } = this.#statement
    const t = this.#t
    this.#sheet.band(band)
    if (isTest) this.#sheet.notice(t.testNotice)
    if (!final) this.#sheet.notice(t.provisional)
    if (logo) this.#sheet.picture(logo)
    this.#sheet.line(t.heading, { color: muted })
    this.#sheet.line(name, { font: 'bold', size: 20 })
    for (const line of identity) this.#sheet.line(line, { color: muted })
    this.#sheet.y += gap
    this.#sheet.rule()
    this.#sheet.pair(t.account, account.uvan)
    this.#sheet.pair(t.currency, account.currency)
    this.#sheet.pair(t.from, this.#zoned(range.from))
    this.#sheet.pair(t.to, this.#zoned(range.to))
    this.#sheet.y += gap
    this.#titles()
    this.#row({ what: t.opening, balance: this.#money(opening) }, bold)
  }

  line(line: AccountStatementLine): void {
    const { at, amount, balance } = line
    if (this.#sheet.turnUnless(lineHeight)) this.#titles()
    this.#cells({
      time: this.#times.format(at),
      what: this.#what(line),
      amount: this.#money(amount),
      balance: this.#money(balance),
    })
    this.#sheet.y += 11
    this.#originOf(line)
    this.#sheet.y += rowHeight - 7
    this.#sheet.rule()
  }

  #what({ feeCode, amount, ...line }: AccountStatementLine): string {
    const { kinds, fees, feesReturned, otherFee } = this.#t
    if (feeCode !== null) return (amount < 0n ? fees : feesReturned)[feeCode] ?? otherFee
    const kind = kindOf({ ...line, feeCode })
    return kind === null ? '' : (kinds[kind] ?? kind)
  }

  /** Prints the reference of the posting, the provider and the object, with a link to the object's page. */
  #originOf({ reference, providerId, direction, owners: [nearest] }: AccountStatementLine): void {
    const { width } = this.#sheet
    const provider = providerId && (this.#parts.catalogue.find(providerId)?.name ?? providerId)
    const way = direction && this.#t.directions[direction]
    this.#sheet.text(reference, 0, timeWidth, below)
    this.#sheet.text([provider, way].filter(Boolean).join(', '), whatFrom, this.#whatWidth, below)
    if (!nearest) return
    const link = ownerPageUrl(this.#parts.baseUrl, this.#scope, nearest)
    const style: TextStyle = { ...below, align: 'right', ...(link && { link, color: linked }) }
    this.#sheet.text(showOwner(nearest), width - amountsWidth, amountsWidth, style)
  }

  sums({ credits, debits, count }: StatementTotals): void {
    const t = this.#t
    if (this.#sheet.turnUnless(5 * rowHeight + gap)) this.#titles()
    this.#row({ what: t.credits, amount: this.#money(credits) }, bold)
    this.#row({ what: t.debits, amount: this.#money(-debits) }, bold)
    this.#row({ what: t.closing, balance: this.#money(this.#statement.closing) }, bold)
    this.#sheet.y += 4
    this.#sheet.line(`${t.count(count.toLocaleString(t.locale))} ${t.proof}.`, {
      size: footSize,
      color: muted,
    })
    const code = statementCode(this.#parts.seals, this.#scope, this.#statement)
    const url = `${this.#parts.baseUrl}/receipt`
    this.#sheet.line(t.check(code, url), { size: footSize, color: muted, link: `${url}?code=${code}` })
  }

  end(): Promise<Buffer> {
    return this.#sheet.end(this.#statement.account.uvan, this.#t.page)
  }

  #titles(): void {
    const { time, what, credit, debit, balance } = this.#t
    this.#row({ time, what, amount: `${credit} / ${debit}`, balance }, { color: muted })
  }

  #row(cells: Cells, style: TextStyle = {}): void {
    this.#cells(cells, style)
    this.#sheet.y += rowHeight - 7
    this.#sheet.rule()
  }

  #cells({ time = '', what = '', amount = '', balance = '' }: Cells, style: TextStyle = {}): void {
    const { width } = this.#sheet
    const right: TextStyle = { ...small, ...style, align: 'right' }
    this.#sheet.text(time, 0, timeWidth, { ...small, ...style })
    this.#sheet.text(what, whatFrom, this.#whatWidth, { ...small, ...style })
    this.#sheet.text(amount, width - amountsWidth, amountWidth, right)
    this.#sheet.text(balance, width - amountWidth, amountWidth, right)
  }

  get #whatWidth(): number {
    return this.#sheet.width - whatFrom - amountsWidth - 4
  }

  #zoned = (moment: Date) => `${this.#times.format(moment)} (${this.#statement.range.timeZone})`

  #money = (value: bigint) =>
    formatMoney({ currency: this.#statement.account.currency, value }, this.#t.lang).replaceAll(' ', '\u00a0')
}
