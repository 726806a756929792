import { sameText } from '@pesewa/values'
import { checkCode, decodeNumber, encodeNumber, readCode, showCode } from '../../platform/check-codes.ts'
import type { Reader } from '../../platform/db/database.ts'
import type { Scoped } from '../../platform/db/scoped.ts'
import type { Scope } from '../../platform/scope.ts'
import type { Seals } from '../../platform/seals.ts'
import type { AccountStatement } from './account-statements.ts'
import { selectAccountsNumbered } from './store.ts'

const uvanLength = 16
const timeLength = 9
const codePattern = new RegExp(`^[0-9]{${uvanLength}}[0-9A-Z]{${2 * timeLength}}$`)

/** The account and range of time of a statement. */
type StatementRange = { accountId: string; from: Date; to: Date }
export type StatementIdentity = Scoped<StatementRange>

/** Returns the code on a statement: the account number, the range and a check code. */
export function statementCode(seals: Seals, scope: Scope, { account, range }: AccountStatement): string {
  const { from, to } = range
  const check = checkOf(seals, scope, { accountId: account.id, from, to })
  return showCode(account.uvan + timeText(from) + timeText(to) + check)
}

/** Returns the statement with this code, or `undefined` if we have not issued such a statement. */
export async function findStatementByCode(
  db: Reader,
  seals: Seals,
  typed: string,
): Promise<StatementIdentity | undefined> {
  const { body, check } = readCode(typed)
  if (!codePattern.test(body)) return undefined
  const [from, to] = [timeAt(body, uvanLength), timeAt(body, uvanLength + timeLength)]
  const accounts = await selectAccountsNumbered(db, body.slice(0, uvanLength))
  return accounts
    .map(({ scope, id: accountId }) => ({ scope, accountId, from, to }))
    .find(({ scope, ...range }) => sameText(checkOf(seals, scope, range), check))
}

const timeText = (time: Date) => encodeNumber(time.getTime(), timeLength)
const timeAt = (body: string, start: number) => new Date(decodeNumber(body.slice(start, start + timeLength)))

const checkOf = (seals: Seals, { spaceId, environment }: Scope, { accountId, from, to }: StatementRange) =>
  checkCode(
    seals,
    'statement code',
    `${spaceId} ${environment} ${accountId} ${from.getTime()} ${to.getTime()}`,
  )
