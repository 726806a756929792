import type { Check } from '../../platform/db/check.ts'
import { sql } from '../../platform/db/sql.ts'
import {
  linesOfReference,
  type PostingForm,
  postedSubject,
  postingOwners,
  postings,
} from '../accounts/checks.ts'

/** Only scheduled transfers can be completed later than they were created. */
const transfers = postedSubject(sql`internal_transfers`, sql`execute_at is not null`)

/** Form of a transfer's postings: two lines between accounts of one merchant. */
export const transferPostings: PostingForm = {
  type: 'internal_transfer',
  fits: sql`lines = 2 and merchants = 2`,
}

export const transferChecks: Check[] = [
  {
    name: 'every completed internal transfer has one posting, from its source to its destination only',
    about: transfers,
    differences: (rows) => sql`
      select t.space_id, t.environment, t.id, t.ledger_reference, t.amount::text,
        booked.lines::text, booked.debits::text, booked.credits::text, booked.owned::text
      from ${rows} t
      cross join lateral (
        select count(*) as lines,
          count(*) filter (where account_id = t.source_account_id and line.amount = -t.amount) as debits,
          count(*) filter (where account_id = t.destination_account_id and line.amount = t.amount) as credits,
          count(*) filter (where line.currency = t.currency and owners -> 0 ->> 'type' = 'internal_transfer'
            and owners -> 0 ->> 'id' = t.id::text) as owned
        from ${linesOfReference(sql`t`, sql`t.ledger_reference`)} line
      ) booked
      where t.status = 'completed' and (booked.lines, booked.debits, booked.credits, booked.owned) <> (2, 1, 1, 2)`,
  },
  {
    name: 'no posting belongs to an internal transfer that is not completed',
    about: postings,
    differences: (rows) => sql`
      select posting.space_id, posting.environment, posting.reference, posting.owner_id
      from ${postingOwners(rows)} posting
      where posting.owner_type = 'internal_transfer'
        and not exists (
          select 1 from internal_transfers t
          where t.space_id = posting.space_id and t.environment = posting.environment
            and t.id = posting.owner_id::uuid and t.ledger_reference = posting.reference and t.status = 'completed')`,
  },
]
