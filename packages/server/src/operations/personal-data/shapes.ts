import Type from 'typebox'
import { phoneNumber } from '../../countries/shapes.ts'
import { personal } from '../../platform/http/admission/personal.ts'
import {
  createTime,
  flag,
  freeObject,
  listOf,
  nameText,
  nullableText,
  nullableTime,
  object,
  optional,
  optionalEnum,
  ownId,
  shownText,
  text,
  timestamp,
  updateTime,
  withDescription,
  withMeanings,
} from '../../platform/http/shapes/shapes.ts'
import { type RetentionClass, retentionClasses } from '../../tenants/retention/classes.ts'
import { keptReasons } from './records.ts'
import { erasureIds, exportIds, holdIds } from './resources.ts'
import { erasureStatuses } from './states.ts'

const person = object(
  {
    phoneNumber: withDescription(
      optional(personal(phoneNumber, 'phone')),
      'Phone number, in E.164 format or in the national format of the Space’s country.',
    ),
    providerId: optional(
      text(1, 64, {
        description: 'Provider of `account`, if the person has no phone number.',
        examples: ['slb001'],
      }),
    ),
    account: optional(
      personal(
        text(1, 64, { description: 'Account number or wallet ID.', examples: ['0011223344'] }),
        'account',
      ),
    ),
  },
  { title: 'DataSubject', description: 'A payer or payee: a phone number, or an account with its provider.' },
)

const reason = nameText(1, 500, {
  description: 'Reason, such as the date of the person’s request. It is recorded in the audit entry.',
  examples: ['Request of 3 May 2026'],
})

export const erasureFilters = object({
  status: optionalEnum(erasureStatuses, 'Only erasures with this status.'),
})

export const newRequest = object({
  person: withDescription(person, 'Person whom the request is about.'),
  reason,
})

const shownPerson = shownText('Person, masked.', '+23276****56')
const personHash = shownText(
  'Keyed hash that identifies the person within the Space.',
  'q3Zk0cYwF2n8sT1vXbR5uJ7mLaE',
)
const createdBy = shownText('Member or operator who made the request.', 'owner@shop.example')
const type = shownText('Type of the objects.', 'payment')
const count = Type.Integer({ description: 'Number of objects.', examples: [12] })

const classMeanings: Record<RetentionClass, string> = {
  financial_records: 'phone and account numbers in payments, payouts, refunds and manual payments',
  contact_details: 'customers’ names and numbers in payment codes, and references that payers typed',
  one_time_codes: 'phone numbers of one-time passwords',
}
const retentionClass = withMeanings(
  Type.Enum([...retentionClasses]),
  'Retention class, which determines how long the data is kept.',
  classMeanings,
)

const keptBecause = withMeanings(Type.Enum([...keptReasons]), 'Reason why the data is kept.', {
  legal_hold: 'a legal hold',
  in_progress: 'the object is not finished',
  refundable: 'the payment can still be refunded',
  open_case: 'an operator has to decide a case about it',
  open_recall: 'the return of the payout has been requested',
  retention_period: 'its retention period has not ended',
  not_chained: 'its last change is not part of the books’ chain yet',
  no_period: 'no period applies; it is kept until its erasure is requested',
})

export const dataExport = object(
  {
    id: ownId(exportIds),
    person: shownPerson,
    personHash,
    reason,
    found: listOf('Objects in which something is stored about the person, by type.', {
      type,
      retention: retentionClass,
      count,
      oldest: withDescription(nullableTime, 'Creation time of the oldest object; null if it is not known.'),
      newest: withDescription(nullableTime, 'Creation time of the newest object; null if it is not known.'),
      isMore: flag('True if there are more objects than were counted.'),
    }),
    createdBy,
    createTime,
    expireTime: withDescription(timestamp, 'Time until which the document can be downloaded.'),
  },
  { title: 'PersonalDataExport' },
)

const place = withMeanings(
  Type.Enum(['events', 'idempotency_keys', 'request_log', 'ussd_sessions', 'backups'] as const),
  'Where the copies are.',
  {
    events: 'events and their webhook deliveries',
    idempotency_keys: 'stored responses for repeated requests',
    request_log: 'the log of API requests, in which personal data is masked',
    ussd_sessions: 'USSD sessions, and counters that limit prompts to a phone',
    backups: 'backups, which the operator deletes',
  },
)

const copies = listOf('Copies that are not listed above, and how long each is kept.', {
  place,
  until: withDescription(
    nullableTime,
    'Time at which a copy made now is deleted; null if the operator decides when.',
  ),
})

const copyPeriods = listOf('Copies that expire by themselves.', {
  place,
  days: Type.Unsafe<number | null>({
    type: ['number', 'null'],
    description: 'Days for which a copy is kept; null if the operator decides.',
    examples: [30],
  }),
})

export const exportedRecord = object(
  {
    type,
    id: shownText('ID of the object, as in the API.', 'pay-01kaj3v5w8e4r9tbn2m6c7d0xz'),
    createTime: withDescription(nullableTime, 'Time of creation; null if it is not known.'),
    retention: retentionClass,
    keptUntil: withDescription(
      nullableTime,
      'Time until which the data is kept, unless its erasure is requested; null if the end is not known.',
    ),
    keptBecause,
    data: withDescription(freeObject, 'Everything that is stored about the person in this object.'),
  },
  { title: 'ExportedRecord' },
)

export const exportDocument = object(
  {
    person: personal(shownText('Phone number, or provider and account.', '+23276123456'), 'account'),
    createTime: withDescription(timestamp, 'Time at which the export was created.'),
    records: withDescription(Type.Array(exportedRecord), 'Objects, by type and then by time, oldest first.'),
    copies: copyPeriods,
  },
  { title: 'PersonalDataDocument' },
)

const counts = (description: string) => listOf(description, { type, count })

export const dataErasure = object(
  {
    id: ownId(erasureIds),
    status: withMeanings(Type.Enum([...erasureStatuses]), 'Status of the erasure.', {
      pending: 'nothing is erased until it is confirmed',
      processing: 'data is being erased',
      waiting: 'everything that may be erased now has been erased, and the rest will be when it may be',
      completed: 'nothing is left to be erased',
      cancelled: 'cancelled before it was confirmed',
    }),
    person: shownPerson,
    personHash,
    reason,
    erasable: counts('Objects whose personal data could be erased when the erasure was requested, by type.'),
    erased: counts('Objects whose personal data has been erased, by type.'),
    kept: listOf('Objects whose personal data must be kept, by type and reason.', {
      type,
      count,
      reason: keptBecause,
      until: withDescription(
        nullableTime,
        'Latest time until which the data of one of them is kept; null if the end is not known.',
      ),
    }),
    copies,
    nextTime: withDescription(
      nullableTime,
      'When objects that are kept are tried again; null if there are none.',
    ),
    createdBy,
    createTime,
    confirmedBy: withDescription(
      nullableText,
      'Member or operator who confirmed the erasure; null if nobody has.',
    ),
    confirmTime: withDescription(nullableTime, 'Time of the confirmation; null if there is none.'),
    updateTime,
  },
  { title: 'PersonalDataErasure' },
)

export const newHold = object({
  person: optional(withDescription(person, 'Person whose data is held. By default, the data of everybody.')),
  endTime: optional(
    Type.String({
      format: 'date-time',
      description: 'Time at which the hold ends. By default, it ends when it is lifted.',
      examples: ['2027-12-31T00:00:00Z'],
    }),
  ),
  reason: nameText(1, 500, { description: 'Reason for the hold.', examples: ['Court order 12/2026'] }),
})

export const liftedHold = object({
  reason: nameText(1, 500, { description: 'Reason for lifting the hold.', examples: ['Case closed'] }),
})

export const legalHold = object(
  {
    id: ownId(holdIds),
    status: withMeanings(Type.Enum(['open', 'ended', 'lifted'] as const), 'Status of the hold.', {
      open: 'nothing that it covers is erased',
      ended: 'its end time has passed',
      lifted: 'it was lifted',
    }),
    person: withDescription(
      nullableText,
      'Person, masked; null if the data of everybody is held.',
      '+23276****56',
    ),
    personHash: withDescription(
      nullableText,
      'Keyed hash of the person; null if the data of everybody is held.',
    ),
    reason: shownText('Reason for the hold.', 'Court order 12/2026'),
    endTime: withDescription(nullableTime, 'Time at which the hold ends; null if it ends when it is lifted.'),
    createdBy: shownText('Member or operator who placed the hold.', 'owner@shop.example'),
    createTime,
    liftedBy: withDescription(nullableText, 'Member or operator who lifted the hold; null if nobody has.'),
    liftTime: withDescription(nullableTime, 'Time at which the hold was lifted; null if it was not.'),
    liftReason: withDescription(nullableText, 'Reason for lifting the hold; null if it was not lifted.'),
  },
  { title: 'LegalHold' },
)

const days = (description: string, example: number) => Type.Integer({ description, examples: [example] })

export const retentionPeriods = object(
  {
    periods: listOf('Retention periods, by class.', {
      class: retentionClass,
      days: days('Days from the creation of an object after which its personal data is erased.', 2557),
    }),
    bounds: listOf('Periods that the operator permits, by class.', {
      class: retentionClass,
      standardDays: days('Days that apply if the Space chooses none.', 2557),
      minimumDays: days(
        'Lowest number of days that the operator permits. Erasures wait for them, too.',
        1826,
      ),
      maximumDays: days('Highest number of days that the operator permits.', 3653),
    }),
    copies: copyPeriods,
  },
  { title: 'RetentionPeriods' },
)

const maxDays = 36_525 // limit: days of a retention period

export const retentionChange = object({
  periods: Type.Array(
    object({
      class: retentionClass,
      days: Type.Unsafe<number | null>({
        type: ['integer', 'null'],
        minimum: 1,
        maximum: maxDays,
        description: 'New number of days; null for the standard.',
        examples: [2557],
      }),
    }),
    { minItems: 1, maxItems: 10, description: 'Periods to change. The others stay as they are.' }, // limit: retention periods changed by a request
  ),
  reason: optional(
    nameText(1, 500, {
      description: 'Reason for the change, which is recorded in the audit entry.',
      examples: ['New privacy policy'],
    }),
  ),
})
