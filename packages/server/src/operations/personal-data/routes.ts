import type { EventSettings } from '../../events/settings.ts'
import type { Reader, Tx } from '../../platform/db/database.ts'
import { noBody, resource } from '../../platform/http/commands/resource.ts'
import { type Call, change, type Route, read, type WellFormed } from '../../platform/http/commands/route.ts'
import type { Platform } from '../../platform/platform.ts'
import { existing, Issues } from '../../platform/refusals.ts'
import type { Scope } from '../../platform/scope.ts'
import type { Catalogue } from '../../rails/connections/catalogue.ts'
import { selectHoldPage, shareHolds } from '../../tenants/retention/hold-store.ts'
import { liftHold, placeHold } from '../../tenants/retention/holds.ts'
import { changePeriods, validatePeriods } from '../../tenants/retention/period-change.ts'
import { findPeriods } from '../../tenants/retention/periods.ts'
import type { Person } from '../../tenants/retention/person.ts'
import type { FindPersonalData } from '../../tenants/retention/records.ts'
import type { RetentionSettings } from '../../tenants/retention/settings.ts'
import { cancelErasure, confirmErasure, requestErasure, resumeErasures } from './erasing.ts'
import { selectErasurePage, shareErasures } from './erasure-store.ts'
import { selectExportPage, shareExports } from './export-store.ts'
import { collectExport, makeExport, readExport } from './exporting.ts'
import { type NamedPerson, readPerson, unlockPerson } from './persons.ts'
import {
  presentCopyPeriods,
  presentErasure,
  presentExport,
  presentHold,
  presentPeriods,
} from './presenting.ts'
import { erasureIds, exportIds, holdIds } from './resources.ts'
import {
  dataErasure,
  dataExport,
  erasureFilters,
  exportDocument,
  exportedRecord,
  legalHold,
  liftedHold,
  newHold,
  newRequest,
  retentionChange,
  retentionPeriods,
} from './shapes.ts'

export type PersonalDataRouteParts = Platform<RetentionSettings & EventSettings> & {
  catalogue: Catalogue
  findPersonalData: FindPersonalData
}

const personRules = [
  {
    about: ['person', 'person.phoneNumber', 'person.providerId', 'person.account'],
    says: '`person` must have either `phoneNumber`, or `providerId` and `account`, and they must be valid.',
  },
]
const example = { person: { phoneNumber: '+23276123456' }, reason: 'Request of 3 May 2026' }

type Named = { person?: WellFormed<NamedPerson> | undefined; endTime?: string | undefined }

export function personalDataRoutes(parts: PersonalDataRouteParts): Route[] {
  return [...exportRoutes(parts), ...erasureRoutes(parts), ...holdRoutes(parts), ...retentionRoutes(parts)]
}

/** Returns a function that reads the person in the body of a call, or refuses the call. */
const personReader = ({ catalogue }: { catalogue: Catalogue }) =>
  async function readNamed(tx: Tx, { scope, body }: Call<unknown, { person: NamedPerson }>): Promise<Person> {
    const issues = new Issues()
    const person = await readPerson(tx, catalogue, scope, body.person, issues)
    if (!person) throw issues.refusal()
    issues.refuse()
    return person
  }

function exportRoutes(parts: PersonalDataRouteParts): Route[] {
  const { db, catalogue, settings, clock, vault } = parts
  const readNamed = personReader(parts)
  const find = shareExports(db)
  const exports = resource({
    url: '/v1/personal-data-exports',
    permission: 'personal-data',
    idKind: exportIds,
    result: dataExport,
    find,
    present: presentExport,
  })
  const name = 'personal-data'
  return [
    exports.create({
      summary: 'Create an export of a person’s data',
      about:
        'Finds everything that is stored about a payer or payee in the Space. The document can be downloaded for 24 hours.',
      body: newRequest,
      example,
      rules: personRules,
      validate: async (reader, { scope, body }, issues) => {
        if (body.person) await readPerson(reader, catalogue, scope, body.person, issues)
      },
      write: async (tx, call) => makeExport(tx, parts, call, await readNamed(tx, call), call.body.reason),
    }),
    exports.list({
      summary: 'List exports of personal data',
      list: ({ scope }, page) => selectExportPage(db, scope, page),
    }),
    exports.read({ summary: 'Retrieve an export of a person’s data' }),
    read({
      url: '/v1/personal-data-exports/:id/document',
      permission: 'personal-data:write',
      idKind: exportIds,
      summary: 'Download the document of an export',
      about: 'Everything that is stored about the person, as JSON, CSV or XLSX.',
      reasons: ['state_conflict'],
      result: exportDocument,
      read: async ({ scope, id }) => {
        const made = existing(await find(scope, id))
        const records = await collectExport(db, parts, scope, made, clock.now(scope))
        const { phoneNumber, providerId, account } = unlockPerson(vault, existing(made.person ?? undefined))
        return {
          person: phoneNumber ?? `${providerId} ${account}`,
          createTime: made.createdAt.toISOString(),
          records,
          copies: presentCopyPeriods(settings),
        }
      },
      table: {
        shape: exportedRecord,
        open: async ({ scope, id }) => {
          const made = existing(await find(scope, id))
          return { name, stretches: readExport(db, parts, scope, made, clock.now(scope)) }
        },
      },
    }),
  ]
}

function erasureRoutes(parts: PersonalDataRouteParts): Route[] {
  const { db, catalogue, settings } = parts
  const readNamed = personReader(parts)
  const erasures = resource({
    url: '/v1/personal-data-erasures',
    permission: 'personal-data',
    idKind: erasureIds,
    result: dataErasure,
    find: shareErasures(db),
    present: (row) => presentErasure(settings, row),
  })
  return [
    erasures.create({
      summary: 'Create an erasure of a person’s data',
      about: 'Shows what can be erased and what must be kept. Nothing is erased before you confirm it.',
      body: newRequest,
      example,
      rules: personRules,
      validate: async (reader, { scope, body }, issues) => {
        if (body.person) await readPerson(reader, catalogue, scope, body.person, issues)
      },
      write: async (tx, call) => requestErasure(tx, parts, call, await readNamed(tx, call), call.body.reason),
    }),
    erasures.list({
      summary: 'List erasures of personal data',
      query: erasureFilters,
      list: ({ scope, query }, page) => selectErasurePage(db, scope, query, page),
    }),
    erasures.read({ summary: 'Retrieve an erasure of a person’s data' }),
    erasures.action('confirm', {
      ...noBody,
      summary: 'Confirm an erasure of a person’s data',
      about:
        'Erases in the background what may be erased. The rest is erased as soon as it may be. This cannot be undone.',
      reasons: ['state_conflict'],
      needsStepUp: true,
      write: (tx, call) => confirmErasure(tx, call),
    }),
    erasures.remove({
      summary: 'Cancel an erasure of a person’s data',
      about: 'Only before it is confirmed.',
      reasons: ['state_conflict'],
      write: (tx, call) => cancelErasure(tx, call),
    }),
  ]
}

function holdRoutes(parts: PersonalDataRouteParts): Route[] {
  const { db, catalogue, clock, seals } = parts
  const readNamed = personReader(parts)
  const url = '/v1/legal-holds'
  const holds = resource({
    url,
    permission: 'legal-holds',
    idKind: holdIds,
    result: legalHold,
    find: shareHolds(db),
    present: (row, { scope }) => presentHold(row, clock.now(scope)),
  })
  const validate = async (
    reader: Parameters<typeof readPerson>[0],
    { scope, body, now }: Call<unknown, Named>,
    issues: Issues,
  ) => {
    if (body.person) await readPerson(reader, catalogue, scope, body.person, issues)
    if (body.endTime && Date.parse(body.endTime) <= now.getTime())
      issues.add('endTime', 'must be in the future')
  }
  return [
    holds.create({
      summary: 'Place a legal hold',
      about: 'While it is open, the personal data of a person, or of everybody in the Space, is not erased.',
      body: newHold,
      example: { person: { phoneNumber: '+23276123456' }, reason: 'Court order 12/2026' },
      rules: [...personRules, { about: ['endTime'], says: '`endTime` must be in the future.' }],
      validate: (reader, call, issues) => validate(reader, call, issues),
      write: async (tx, call) => {
        const { person: named, endTime, reason } = call.body
        const issues = new Issues()
        await validate(tx, call, issues)
        issues.refuse()
        const person = named && (await readNamed(tx, { ...call, body: { person: named } }))
        return placeHold(tx, seals, call, person, { endsAt: endTime ? new Date(endTime) : null, reason })
      },
    }),
    holds.list({ summary: 'List legal holds', list: ({ scope }, page) => selectHoldPage(db, scope, page) }),
    holds.read({ summary: 'Retrieve a legal hold' }),
    holds.action('lift', {
      body: liftedHold,
      example: { reason: 'Case closed' },
      summary: 'Lift a legal hold',
      about: 'Erasures that it has delayed continue.',
      reasons: ['state_conflict'],
      needsStepUp: true,
      write: async (tx, call) => {
        const lifted = await liftHold(tx, call, call.body.reason)
        await resumeErasures(tx, call.scope)
        return lifted
      },
    }),
  ]
}

function retentionRoutes({ db, settings }: PersonalDataRouteParts): Route[] {
  const url = '/v1/retention-periods'
  const describe = async (reader: Reader, scope: Scope) =>
    presentPeriods(settings, await findPeriods(reader, settings, scope))
  return [
    read({
      url,
      permission: 'personal-data:read',
      summary: 'Retrieve the retention periods of the Space',
      result: retentionPeriods,
      read: ({ scope }) => describe(db, scope),
    }),
    change({
      url,
      permission: 'personal-data:write',
      summary: 'Update the retention periods of the Space',
      about: 'In the environment of the token. A daily job erases personal data that is older.',
      needsStepUp: true,
      result: retentionPeriods,
      body: retentionChange,
      example: { periods: [{ class: 'contact_details', days: 365 }], reason: 'New privacy policy' },
      rules: [
        { about: ['periods[].class'], says: 'Each class must be listed only once.' },
        {
          about: ['periods[].days'],
          says: '`days` must be between the minimum and the maximum of its class.',
        },
      ],
      validate: (_reader, { body }, issues) => validatePeriods(settings, body, issues),
      write: async (tx, call) => {
        await changePeriods(tx, settings, call, call.body)
        return describe(tx, call.scope)
      },
    }),
  ]
}
