import assert from 'node:assert/strict'
import { slice as countries } from './countries/slice.ts'
import type { FindLines } from './events/event-envelope.ts'
import { slice as events } from './events/slice.ts'
import { slice as books } from './finance/books/slice.ts'
import { slice as monthEnd } from './finance/month-end/slice.ts'
import { slice as overview } from './finance/overview/slice.ts'
import { slice as reconciliation } from './finance/reconciliation/slice.ts'
import { slice as settlements } from './finance/settlements/slice.ts'
import type { PostingForm } from './ledger/accounts/checks.ts'
import type { ReconciledType } from './ledger/accounts/reconciled-types.ts'
import type { SettlementColumns } from './ledger/accounts/settlement.ts'
import { slice as ledger } from './ledger/accounts/slice.ts'
import { slice as transfers } from './ledger/transfers/slice.ts'
import { slice as approvals } from './money/approvals/slice.ts'
import { slice as fees } from './money/fees/slice.ts'
import type { PaymentOrigins } from './money/payments/follower.ts'
import { slice as payments } from './money/payments/slice.ts'
import { slice as payoutBatches } from './money/payout-batches/slice.ts'
import type { PayoutRouteParts } from './money/payouts/routes.ts'
import { slice as payouts } from './money/payouts/slice.ts'
import { slice as pendingApprovals } from './money/pending-approvals/slice.ts'
import { slice as recalls } from './money/recalls/slice.ts'
import { slice as refunds } from './money/refunds/slice.ts'
import { slice as caseFiles } from './operations/case-files/slice.ts'
import { slice as consoleSlice } from './operations/console/slice.ts'
import { slice as dataKeys } from './operations/data-keys/slice.ts'
import { type DocsSliceParts, slice as docs } from './operations/docs/slice.ts'
import { slice as installation } from './operations/installation/slice.ts'
import { slice as personalData } from './operations/personal-data/slice.ts'
import { slice as search } from './operations/search/slice.ts'
import { slice as spaceSettings } from './operations/space-settings/slice.ts'
import { slice as testClock } from './operations/test-clock/slice.ts'
import { type Definitions, readSettingsOf, type SettingsOf } from './platform/config.ts'
import type { Check } from './platform/db/check.ts'
import { durationMs } from './platform/duration.ts'
import type { Gate } from './platform/http/admission/gate.ts'
import type { StoredResponses } from './platform/http/commands/idempotency.ts'
import type { Route } from './platform/http/commands/route.ts'
import type { Calendar } from './platform/jobs/calendar.ts'
import type { Jobs } from './platform/jobs/runner.ts'
import type { Gauge, Metrics } from './platform/metrics.ts'
import type { Platform } from './platform/platform.ts'
import { type EventTypesOf, type Resource, registerResources } from './platform/resources.ts'
import type { Seals } from './platform/seals.ts'
import { slice as platform } from './platform/slice.ts'
import { slice as connections } from './rails/connections/slice.ts'
import type { Followers } from './rails/instructions/follower.ts'
import type { RailQueues } from './rails/instructions/rail-queues.ts'
import { slice as instructions } from './rails/instructions/slice.ts'
import type { Numbers } from './rails/providers/numbers.ts'
import type { Providers } from './rails/providers/providers.ts'
import { slice as providers } from './rails/providers/slice.ts'
import type { ConnectionStats } from './rails/routing/connection-stats.ts'
import { slice as routing } from './rails/routing/slice.ts'
import type { SuccessGuard } from './rails/routing/success-guard.ts'
import type { Simulator } from './simulator/simulator.ts'
import { slice as simulator } from './simulator/slice.ts'
import { slice as requests } from './tenants/requests/slice.ts'
import type { FindPersonalData, PersonalData } from './tenants/retention/records.ts'
import { slice as retention } from './tenants/retention/slice.ts'
import { findOidcIssue } from './tenants/sign-in/settings.ts'
import { slice as signIn } from './tenants/sign-in/slice.ts'
import { type Permission, registerPermissions } from './tenants/spaces/permissions.ts'
import { slice as spaces } from './tenants/spaces/slice.ts'
import { slice as team } from './tenants/team/slice.ts'
import { slice as billPayments } from './ways-to-pay/bill-payments/slice.ts'
import type { DialAvailability } from './ways-to-pay/checkout/dial-availability.ts'
import type { SessionLinks } from './ways-to-pay/checkout/session-links.ts'
import { smsIssue } from './ways-to-pay/checkout/settings.ts'
import { slice as checkout } from './ways-to-pay/checkout/slice.ts'
import { slice as paymentCodes } from './ways-to-pay/payment-codes/slice.ts'
import { slice as paymentLinks } from './ways-to-pay/payment-links/slice.ts'
import { slice as ussd } from './ways-to-pay/ussd/slice.ts'

/**
 * Everything that a slice contributes to the program. Heavy modules are loaded on demand, so that operator
 * commands do not load the server.
 */
export type Slice = {
  /** Its folder in src/, which is the folder of its wing followed by its own, such as `money/payments`. */
  folder: string
  settings?: Definitions
  /**
   * Tables that the slice owns. Only the slice writes to them. Its own SQL and the SQL of later slices may read
   * them.
   */
  tables?: string[]
  /** Tables that it owns and that only transactions at home write. Cells may read them. */
  homeTables?: string[]
  functions?: string[]
  /** Its API resources: id prefixes and events. */
  resources?: readonly Resource[]
  permissions?: Permission[]
  /** Descriptions of its resources in the API reference, by the first segment of their URLs. */
  tags?: Record<string, string>
  routes?(parts: Parts): Promise<Route[]>
  /**
   * Its routes for operators, by the segment that follows `/v1/installation/`. Commands call them in their own
   * process, and load only the routes of the segment that they need.
   */
  operatorRoutes?: Record<string, (parts: OperatorParts) => Promise<Route[]>>
  /** Job handlers by name. Long-running handlers stop early when the node is `stopping`. */
  jobs?(parts: Parts, stopping: AbortSignal): Promise<Jobs>
  /** Schedules of its recurring jobs, in UTC. */
  calendar?: Calendar
  /** Integrity checks of its rows. Without the secret key, returns only the checks that do not need it. */
  checks?(seals?: Seals): Promise<Check[]>
  /** The personal data of payers and payees in its tables. */
  personalData?(settings: Settings): Promise<PersonalData>
  /** Posting patterns of its objects. */
  postings?(): Promise<PostingForm[]>
  /** Types of its objects that provider statements may refer to. */
  reconciled?(): Promise<ReconciledType[]>
  /**
   * Categories of its money movements in provider reports. Movements that no slice has categorized are reported
   * as `other`.
   */
  settlementColumns?: SettlementColumns
  gauges?: Gauge[]
  /** Metrics that the slice updates itself, created once per registry. */
  counters?(): Promise<Record<string, (metrics: Metrics) => unknown>>
}

/**
 * The slices in dependency order. Each slice imports only itself and earlier slices, and uses only their tables
 * in its SQL.
 */
const allSlices = [
  platform,
  countries,
  spaces,
  team,
  signIn,
  requests,
  retention,
  events,
  ledger,
  transfers,
  connections,
  routing,
  providers,
  instructions,
  approvals,
  fees,
  payments,
  payouts,
  payoutBatches,
  recalls,
  refunds,
  pendingApprovals,
  checkout,
  paymentCodes,
  paymentLinks,
  billPayments,
  ussd,
  reconciliation,
  settlements,
  books,
  monthEnd,
  overview,
  testClock,
  spaceSettings,
  caseFiles,
  search,
  personalData,
  installation,
  dataKeys,
  simulator,
  consoleSlice,
  docs,
] as const satisfies Slice[]
export const slices: readonly Slice[] = allSlices

type ResourcesIn<S> = S extends { resources: readonly (infer R extends Resource)[] } ? R : never

// Makes a misspelled event type a compile-time error.
declare module './events/types.ts' {
  interface SliceEvents extends Record<EventTypesOf<ResourcesIn<(typeof allSlices)[number]>>, true> {}
}

/** Dependencies that the slices share. Each slice uses only the ones it needs. */
export type Parts = Platform<Settings> &
  Providers & {
    findLines: FindLines
    simulator: Simulator
    gate: Gate
    numbers: Numbers
    successGuard: SuccessGuard
    connectionStats: ConnectionStats
    eventData: StoredResponses['eventData']
    origins: PaymentOrigins
    links: SessionLinks
    dialling: DialAvailability
    followers: Followers
    hasBatch: PayoutRouteParts['hasBatch']
    queues: Pick<RailQueues, 'admit' | 'queryEarly'>
    findChecks: typeof findChecks
    findReconciled: typeof findReconciled
    findPersonalData: FindPersonalData
    settlementColumns: SettlementColumns
    openApi: DocsSliceParts['openApi']
    rails: OperatorParts['rails']
    openFollowers: OperatorParts['openFollowers']
  }

/** Dependencies of the routes for operators. */
export type OperatorParts = Platform<Settings> & {
  // Few of these routes need the following, which takes long to load.
  rails(): Promise<Providers>
  openFollowers(): Promise<Followers>
  findReconciled: typeof findReconciled
}

export type Settings = SettingsOf<
  typeof platform.settings &
    typeof spaces.settings &
    typeof requests.settings &
    typeof retention.settings &
    typeof events.settings &
    typeof providers.settings &
    typeof instructions.settings &
    typeof payments.settings &
    typeof refunds.settings &
    typeof checkout.settings &
    typeof paymentCodes.settings &
    typeof ussd.settings &
    typeof signIn.settings &
    typeof books.settings
>

/** All settings. `config.example.env` and the settings reference are generated from them. */
export const settingDefinitions: Definitions = merged(slices.map(({ settings }) => settings))

/**
 * Reads and validates the settings of all slices.
 *
 * @throws ConfigError listing all issues
 */
export const readSettings = (environment: Record<string, string | undefined>): Settings =>
  // The slices' definitions together cover all settings.
  readSettingsOf(settingDefinitions, environment, (settings) =>
    settingsIssue(settings as Settings),
  ) as Settings

const settingsIssue = (settings: Settings) =>
  retentionIssue(settings) ??
  databaseIssue(settings) ??
  masterKeyIssue(settings) ??
  findOidcIssue(settings) ??
  smsIssue(settings)

const masterKeyIssue = ({ masterKeyFile, masterKeyCommand }: Settings) =>
  masterKeyFile !== undefined && masterKeyCommand !== undefined
    ? 'MASTER_KEY_FILE and MASTER_KEY_COMMAND cannot be combined'
    : undefined

const databaseIssue = ({ databaseUrl, databaseSessionUrl, databaseReadUrl }: Settings) => {
  if (databaseUrl !== undefined) return undefined
  if (databaseSessionUrl !== undefined) return 'DATABASE_SESSION_URL is set, but DATABASE_URL is not'
  if (databaseReadUrl !== undefined) return 'DATABASE_READ_URL is set, but DATABASE_URL is not'
  return undefined
}

const retentionIssue = ({ eventRetentionMs, idempotencyRetentionMs }: Settings) =>
  eventRetentionMs < idempotencyRetentionMs + durationMs('1d')
    ? 'EVENT_RETENTION must be at least one day longer than IDEMPOTENCY_RETENTION, because replayed responses refer to events'
    : undefined

registerResources(slices.flatMap(({ resources = [] }) => resources))
registerPermissions(slices.flatMap(({ permissions = [] }) => permissions))

/** Descriptions of all operation groups in the API reference. */
export const tags: Record<string, string> = merged(slices.map(({ tags }) => tags))

/** Returns all routes. */
export const routesOf = (parts: Parts): Promise<Route[]> => ofEach((slice) => routesOfSlice(slice, parts))

export async function routesOfSlice({ routes, operatorRoutes = {} }: Slice, parts: Parts): Promise<Route[]> {
  const open = [routes, ...Object.values(operatorRoutes)]
  return (await Promise.all(open.map((routes) => routes?.(parts) ?? []))).flat()
}

/** Returns the routes of all slices below `/v1/installation/` and this segment. */
export const operatorRoutesOf = (segment: string, parts: OperatorParts): Promise<Route[]> =>
  ofEach((slice) => slice.operatorRoutes?.[segment]?.(parts))

/** Returns all job handlers. */
export const jobsOf = async (parts: Parts, stopping: AbortSignal): Promise<Jobs> =>
  merged(await Promise.all(slices.map(({ jobs }) => jobs?.(parts, stopping))))

export const calendar: Calendar = merged(slices.map(({ calendar }) => calendar))

/** Returns all integrity checks of the books. */
export async function findChecks(seals?: Seals): Promise<Check[]> {
  const { clearingCheck, postingFormCheck } = await import('./ledger/accounts/checks.ts')
  const forms = await ofEach((slice) => slice.postings?.())
  return [postingFormCheck(forms), clearingCheck(forms), ...(await ofEach((slice) => slice.checks?.(seals)))]
}

/** Returns the types of objects that a provider statement can refer to. */
export const findReconciled = (): Promise<ReconciledType[]> => ofEach((slice) => slice.reconciled?.())

/** Returns what all slices declare about personal data, in slice order. */
export async function findPersonalData(settings: Settings): Promise<Required<PersonalData>> {
  const declared = await ofEach(async (slice) => [await slice.personalData?.(settings)])
  return {
    records: declared.flatMap((each) => each?.records ?? []),
    obligations: declared.flatMap((each) => each?.obligations ?? []),
  }
}

/** Categories of money movements in provider reports, by owner type. */
export const settlementColumns: SettlementColumns = merged(
  slices.map(({ settlementColumns }) => settlementColumns),
)

/** Registers all metrics, so that each is visible even before its first update. */
export async function showMetrics({ db, metrics }: Platform): Promise<void> {
  const { registerGauges } = await import('./platform/metrics.ts')
  for (const counters of await Promise.all(slices.map(({ counters }) => counters?.())))
    for (const make of Object.values(counters ?? {})) make(metrics)
  registerGauges(
    db,
    metrics.registry,
    slices.flatMap(({ gauges = [] }) => gauges),
  )
}

/** Returns the contributions of all slices to one property, in slice order. */
const ofEach = async <T>(bring: (slice: Slice) => Promise<T[]> | undefined): Promise<T[]> =>
  (await Promise.all(slices.map((slice) => bring(slice) ?? []))).flat()

/** Merges records. Two slices must not use the same key. */
function merged<T>(records: (Record<string, T> | undefined)[]): Record<string, T> {
  const all: Record<string, T> = {}
  for (const [name, value] of records.flatMap((record) => Object.entries(record ?? {}))) {
    assert(!Object.hasOwn(all, name), `two slices define the same ${name}`)
    all[name] = value
  }
  return all
}
