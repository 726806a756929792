import type { RailReport, ReceivedReport, Verdict } from '@pesewa/connector-kit'
import { type Batches, createBatches } from '../../platform/batches.ts'
import type { Reader, Tx } from '../../platform/db/database.ts'
import { byGlobalName, globalName } from '../../platform/db/scoped.ts'
import type { SubmitAges } from '../connections/conclusive-missing.ts'
import type { Connectors } from '../connections/connectors.ts'
import { isQueryable, queryNow } from './instructions.ts'
import type { InstructionParts } from './parts.ts'
import { createRecording, recordOne } from './recording.ts'
import { isOpen } from './states.ts'
import {
  type Instruction,
  type InstructionKey,
  lockInstructions,
  type NamedByRail,
  selectInstructions,
  selectNamedByRail,
  writeInstructions,
} from './store.ts'

/**
 * A report and its instruction, which is identified either by the URL to which the report was sent or by a
 * reference that the report contains.
 */
export type ArrivedReport =
  | { key: InstructionKey; received: ReceivedReport }
  | { named: NamedByRail; report: RailReport }

/** The part of a report that does not match its instruction. */
export type ReportMismatch = 'reference' | 'amount' | 'currency'

type Submitted = Instruction & SubmitAges

export type ReportResult = {
  instruction: Submitted | undefined
  report: RailReport | undefined
  mismatch: ReportMismatch | undefined
}
type CheckedReport = ReportResult & {
  verdict: Verdict | undefined
  /**
   * True if the report contained the rail's own reference to the instruction, and this reference was not known
   * before.
   */
  isLearnt: boolean
}

/**
 * Receives reports. The verdict of an authentic report that identifies its instruction is recorded like the
 * outcome of a query. Any other report is only compared with its instruction: if it matches, the rail is
 * queried immediately; if not, the report is ignored. A report that is itself the result of a query does not
 * trigger another query. An immediate query is not stored first: if it is lost, the next scheduled query finds
 * the outcome.
 */
export function createReports(parts: InstructionParts): (arrived: ArrivedReport) => Promise<ReportResult> {
  const batches = createReportBatches(parts)
  const recording = createRecording(parts)
  return async (arrived) => {
    const { verdict, isLearnt: _, ...judged } = await batches.submit('', arrived)
    const { instruction } = judged
    if (verdict && instruction)
      await recordOne(parts, recording, { instruction, result: verdict, source: 'report' })
    return judged
  }
}

/** Checks concurrent reports in batches. */
function createReportBatches({
  db,
  clock,
  connectors,
  queues,
}: InstructionParts): Batches<ArrivedReport, CheckedReport> {
  return createBatches({
    name: 'instructions.report',
    tenantOf: (arrived) =>
      'key' in arrived
        ? `${arrived.key.scope.environment} ${arrived.key.scope.spaceId}`
        : `${arrived.named.environment} ${arrived.named.connection}`,
    async run(arrived, bounds) {
      const about = await findEach(db, arrived)
      const judged = arrived.map((each, i): CheckedReport => checkReport(connectors, each, about[i]))
      const learnt = judged.flatMap(({ instruction, isLearnt }) =>
        instruction && isLearnt ? [instruction] : [],
      )
      if (learnt.length > 0) await db.transaction((tx) => keepProviderReferences(tx, learnt), bounds)
      const due = new Map(
        judged.flatMap(({ instruction, report, mismatch, verdict }) =>
          instruction && !mismatch && !verdict && !report?.isQueryResult && isQueryable(instruction)
            ? [[globalName(instruction.scope, instruction.id), instruction] as const]
            : [],
        ),
      )
      const later = [...due.values()].filter((instruction) => !queues.queryEarly(instruction))
      if (later.length > 0)
        await db.transaction(
          (tx) =>
            queryNow(
              tx,
              later.map((instruction) => ({ ...instruction, at: clock.now(instruction.scope) })),
            ),
          bounds,
        )
      return judged.map((answer) => ({ answer }))
    },
  })
}

async function findEach(db: Reader, arrived: ArrivedReport[]): Promise<(Submitted | undefined)[]> {
  const keys = arrived.flatMap((each) => ('key' in each ? [each.key] : []))
  const named = arrived.flatMap((each) => ('named' in each ? [each.named] : []))
  const byKey = byGlobalName(keys.length > 0 ? await selectInstructions(db, keys) : [])
  const candidates = named.length > 0 ? await selectNamedByRail(db, named) : []
  return arrived.map((each) => {
    if ('key' in each) return byKey.get(globalName(each.key.scope, each.key.id))
    const [one, another] = candidates.filter(({ place }) => named[place] === each.named)
    return another ? undefined : one
  })
}

function checkReport(
  connectors: Connectors,
  arrived: ArrivedReport,
  found: Submitted | undefined,
): CheckedReport {
  if (!found)
    return { instruction: found, report: undefined, mismatch: undefined, verdict: undefined, isLearnt: false }
  const { providerId, scope, connection } = found
  const report =
    'report' in arrived
      ? arrived.report
      : connectors.findConnector(providerId, scope.environment, connection)?.readReport?.(arrived.received)
  const verdict = report && trustedVerdict(found, report)
  // An authentic report with a different amount is not a mismatch: its verdict is recorded, so that an operator
  // can decide what to do.
  const mismatch = report && !verdict ? mismatchOf(found, report) : undefined
  const learnt = report && 'key' in arrived && !mismatch ? learnedReference(found, report) : undefined
  const instruction = learnt === undefined ? found : { ...found, providerReference: learnt }
  return { instruction, report, mismatch, verdict, isLearnt: learnt !== undefined }
}

/**
 * Returns the rail's own reference if the report contains it and it was not known before. If the response to
 * the submit was lost, only a report contains it. The report must be authentic, because any other report could
 * be forged.
 */
const learnedReference = ({ providerReference }: Instruction, report: RailReport): string | undefined =>
  providerReference === null && report.isAuthentic ? report.providerReference : undefined

async function keepProviderReferences(tx: Tx, learnt: Instruction[]): Promise<void> {
  const named = byGlobalName(learnt)
  const kept = (await lockInstructions(tx, learnt)).flatMap((instruction) => {
    const { providerReference = null } = named.get(globalName(instruction.scope, instruction.id)) ?? {}
    return isOpen(instruction.state) && instruction.providerReference === null
      ? [{ ...instruction, providerReference }]
      : []
  })
  writeInstructions(tx, kept)
}

/**
 * Returns the verdict of an authentic report about exactly this instruction. A report that identifies another
 * instruction, or none, is inconclusive.
 */
function trustedVerdict(instruction: Instruction, report: RailReport): Verdict | undefined {
  const { isAuthentic, reference, providerReference } = report
  const isNamed =
    reference !== undefined
      ? reference === instruction.reference
      : providerReference !== undefined && providerReference === instruction.providerReference
  const isBelieved = isAuthentic && isNamed && !isOther(instruction, report) && instruction.submittedAt
  return isBelieved ? report.verdictOn?.(instruction.kind) : undefined
}

/** Compares every readable part of a report with the instruction. */
function mismatchOf(instruction: Instruction, report: RailReport): ReportMismatch | undefined {
  const { amount, currency } = report
  if (isOther(instruction, report)) return 'reference'
  if (currency !== undefined && currency !== instruction.currency) return 'currency'
  return amount !== undefined && amount !== instruction.amount ? 'amount' : undefined
}

const isOther = (instruction: Instruction, { reference, providerReference }: RailReport) =>
  (reference !== undefined && reference !== instruction.reference && reference !== instruction.orderNumber) ||
  (providerReference !== undefined &&
    instruction.providerReference !== null &&
    providerReference !== instruction.providerReference)
