import { answersOf, type Outcome, onlyAnswer } from '../../platform/batches.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { Scoped } from '../../platform/db/scoped.ts'
import type { NewRows, NotSimple } from '../../platform/http/commands/new-rows.ts'
import { Issues } from '../../platform/refusals.ts'
import type { Scope } from '../../platform/scope.ts'
import {
  buildAccount,
  isReferenceTaken,
  ledgerAccountOf,
  type NewAccount,
  presentAccount,
  referenceTaken,
} from './accounts.ts'
import { validateCurrency } from './currencies.ts'
import {
  type FinancialAccount,
  insertingFinancialAccounts,
  insertingLedgerAccounts,
  insertReferencedAccounts,
} from './store.ts'

export type AccountRequest = Scoped<{ body: NewAccount; at: Date }>

/** Opens merchant accounts. Each request is carried out or refused independently of the others. */
export async function openAccounts(
  tx: Tx,
  requests: AccountRequest[],
): Promise<Outcome<Scoped<FinancialAccount>>[]> {
  const outcomes = requests.map(validateAndBuild)
  const sound = answersOf(outcomes)
  if (sound.length === 0) return outcomes
  const inserted = await insertReferencedAccounts(tx, sound)
  const opened = sound.filter(({ id }) => inserted.has(id))
  await tx.run(insertingLedgerAccounts(opened.map((account) => ledgerAccountOf(account, null))))
  return outcomes.map((outcome) =>
    'error' in outcome || inserted.has(outcome.answer.id) ? outcome : { error: referenceTaken() },
  )
}

export const openAccount = async (tx: Tx, scope: Scope, body: NewAccount, at: Date) =>
  onlyAnswer(await openAccounts(tx, [{ scope, body, at }]))

/** Prepares the rows of merchant accounts, or returns which requests are invalid. */
export async function prepareAccounts(requests: AccountRequest[]): Promise<NewRows | NotSimple> {
  const outcomes = requests.map(validateAndBuild)
  const accounts = answersOf(outcomes)
  if (accounts.length < requests.length) return { notSimple: outcomes.map((outcome) => 'error' in outcome) }
  return {
    inserts: [
      insertingFinancialAccounts(accounts),
      insertingLedgerAccounts(accounts.map((account) => ledgerAccountOf(account, null))),
    ],
    results: accounts.map((account) => JSON.stringify(presentAccount(account.scope, account))),
    explain: (error) =>
      isReferenceTaken(error) ? accounts.map(({ reference }) => reference !== null) : undefined,
  }
}

function validateAndBuild({ scope, body, at }: AccountRequest): Outcome<Scoped<FinancialAccount>> {
  const issues = new Issues()
  validateCurrency(issues, 'currency', body.currency)
  return issues.list.length > 0 ? { error: issues.refusal() } : { answer: buildAccount(scope, body, at) }
}
