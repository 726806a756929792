import { hasBacklog } from '../../events/waiting-store.ts'
import { archivedSeq } from '../../ledger/accounts/carried-balances.ts'
import { accounts } from '../../ledger/accounts/checks.ts'
import type { Check, Subject } from '../../platform/db/check.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { alongIndex, costing, mapRows } from '../../platform/db/walk.ts'
import { auditEntries, rowsSince } from '../../tenants/spaces/since.ts'
import { isPartlyArchived } from './archived-link-store.ts'

const linksSince = (at: Date) => rowsSince(sql`book_links`, sql`made_at`, sql`timestamptz`, at.toISOString())

/** The links of all chains. Each link covers up to a thousand events. */
const links: Subject = {
  all: [costing(100, alongIndex(sql`book_links`, sql`space_id, environment, number`))],
  since: (at) => [costing(100, linksSince(at))],
}

/** The ranges of lines in all links. Each range covers up to a hundred lines. */
const ranges: Subject = {
  all: [costing(10, alongIndex(sql`book_ranges`, sql`space_id, environment, account_id, seq_to`))],
  since: (at) => [mapRows(costing(100, linksSince(at)), rangesOf)],
}

const rangesOf = (rows: Sql) => sql`
  (select range.* from ${rows} link
  cross join lateral (
    select * from book_ranges range
    where range.space_id = link.space_id and range.environment = link.environment and range.number = link.number offset 0
  ) range)`

const eventCounters: Subject = {
  all: [alongIndex(sql`event_counters`, sql`space_id, environment`)],
  since: () => [alongIndex(sql`event_counters`, sql`space_id, environment`)],
}

/**
 * True if anything in the Space of row `of` has not been chained yet, which can be something that is marked or
 * an event that has not been sequenced. Looks up marks by key, as `hasBacklog` does, because a Space may have
 * very many marks.
 */
export const isAwaitingChaining = (of: Sql): Sql => sql`
  ((
    select id from unchained where unchained.space_id = ${of}.space_id and unchained.environment = ${of}.environment
    order by space_id, environment, id limit 1) is not null
  or ${hasBacklog(of)}
  or exists (
    select 1 from event_facts fact
    where fact.number > (select settled from event_sequencer) and fact.space_id = ${of}.space_id
      and fact.environment = ${of}.environment))`

/** Position from which events are kept. Earlier events have been dropped or may be dropped at any time. */
const firstKept = sql`(select event_partition_start(min(number)) from event_partitions)`

export const chainChecks: Check[] = [
  {
    name: 'every link of the chain contains the hash of the previous link and continues where it ended',
    about: links,
    differences: (rows) => sql`
      select link.space_id, link.environment, link.number::text, encode(link.hash, 'hex') as hash
      from ${rows} link
      left join lateral (
        select hash, position_to from book_links before
        where before.space_id = link.space_id and before.environment = link.environment
          and before.number = link.number - 1 offset 0
      ) before on true
      where link.hash is distinct from link_hash(before.hash, (
          select l from book_links l
          where l.space_id = link.space_id and l.environment = link.environment and l.number = link.number))
        or (link.number > 1 and before.position_to is distinct from link.position_after)
        or (link.event_count > 0 and not exists (
          select 1 from event_counters counter
          where counter.space_id = link.space_id and counter.environment = link.environment))`,
  },
  {
    name: 'every event is unchanged since it was chained, and numbered without gaps in its Space',
    about: links,
    differences: (rows) => sql`
      select link.space_id, link.environment, link.number::text, link.event_count, kept.count as events_found
      from ${rows} link
      cross join lateral (
        select count(*)::integer as count, min(sequence) as first, max(sequence) as last
        from events_between(link.space_id, link.environment, link.position_after, link.position_to)
      ) kept
      where link.position_after >= ${firstKept} and link.event_count > 0 and (
        kept.count <> link.event_count
        or kept.last - kept.first + 1 <> kept.count
        or kept.first - 1 is distinct from coalesce((
          select s.sequence + least(s.count - 1, link.position_after - s.position) from sequenced_facts s
          where s.space_id = link.space_id and s.environment = link.environment and s.position <= link.position_after
            and s.position >= ${firstKept}
          order by s.position desc limit 1), kept.first - 1)
        or link.events_digest is distinct from
          events_digest(link.space_id, link.environment, link.position_after, link.position_to)
        or exists (
          select 1 from sequenced_facts s
          left join lateral (
            select object_id, types, posting is not null as has_lines from event_facts fact
            where fact.number = s.fact_number and (fact.space_id = s.space_id) is true
              and (fact.environment = s.environment) is true offset 0
          ) fact on true
          left join lateral (select types, has_lines from fact_kinds where kind = s.kind offset 0) kind on true
          where s.space_id = link.space_id and s.environment = link.environment and s.position > link.position_after
            and s.position <= link.position_to
            and (s.object_id, kind.types, kind.has_lines, s.count) is distinct from (fact.object_id, fact.types,
              fact.has_lines, cardinality(fact.types) + coalesce(cardinality(s.line_ids), 0))))`,
  },
  {
    name: 'every Space counts its events correctly, and each event is chained or was sequenced a moment ago',
    about: eventCounters,
    differences: (rows) => sql`
      select counter.space_id, counter.environment, counter.sequence::text, last.sequence::text as last_event
      from ${rows} counter
      left join lateral (
        select s.sequence + s.count - 1 as sequence, s.position + s.count - 1 as position, s.latest_at
        from sequenced_facts s
        where s.space_id = counter.space_id and s.environment = counter.environment order by s.position desc limit 1
      ) last on true
      left join lateral (
        select position_to from book_links link
        where link.space_id = counter.space_id and link.environment = counter.environment
        order by number desc limit 1
      ) chained on true
      where (last.sequence, last.latest_at) <> (counter.sequence, counter.latest_at)
        or (last.position is distinct from chained.position_to and not (
          last.position > coalesce(chained.position_to, -1) and ${isAwaitingChaining(sql`counter`)})
          and last.position is not null)`,
  },
  {
    name: 'every ledger line is unchanged since it was chained',
    about: ranges,
    differences: (rows) => sql`
      select range.space_id, range.environment, range.account_id, range.seq_from::text, range.seq_to::text
      from ${rows} range
      where (range.seq_to > ${archivedSeq(sql`range`)} and range.digest <>
          lines_digest(range.space_id, range.environment, range.account_id, range.seq_from, range.seq_to))
        or range.seq_from <> 1 + coalesce((
          select seq_to from book_ranges before
          where before.space_id = range.space_id and before.environment = range.environment
            and before.account_id = range.account_id and before.seq_to < range.seq_to
          order by before.seq_to desc limit 1), 0)`,
  },
  {
    name: 'every link matches the lines, audit entries and seals that were chained',
    about: links,
    differences: (rows) => sql`
      select link.space_id, link.environment, link.number::text, link.audits::text
      from ${rows} link
      where link.ranges_digest is distinct from (
          select digest_of(string_agg(row(account_id, seq_to, digest)::text, e'\\n' order by account_id, seq_to))
          from book_ranges range
          where range.space_id = link.space_id and range.environment = link.environment
            and range.number = link.number)
        or (not ${isPartlyArchived(sql`link`)} and (
          link.audits_digest is distinct from audits_digest(link.space_id, link.environment, link.audits)
          or link.seals_digest is distinct from seals_digest(link.space_id, link.environment, link.number)))`,
  },
  {
    name: 'all lines of every account are chained, except those written a moment ago',
    about: accounts,
    differences: (rows) => sql`
      select account.space_id, account.environment, account.id, account.next_seq::text,
        chained.seq_to::text as chained_seq
      from ${rows} account
      left join lateral (
        select seq_to from book_ranges range
        where range.space_id = account.space_id and range.environment = account.environment
          and range.account_id = account.id
        order by seq_to desc limit 1
      ) chained on true
      where account.next_seq - 1 <> coalesce(chained.seq_to, 0)
        and not (account.next_seq - 1 > coalesce(chained.seq_to, 0) and ${isAwaitingChaining(sql`account`)})`,
  },
  {
    name: 'every audit entry is chained, or was written a moment ago',
    about: auditEntries,
    differences: (rows) => sql`
      select a.space_id, a.environment, a.id, a.action
      from ${rows} a
      where not exists (
          select 1 from book_audits chained
          join book_links link on link.space_id = chained.space_id and link.environment = chained.environment
            and link.number = chained.number
          where chained.space_id = a.space_id and chained.environment = a.environment and chained.id = a.id
            and a.id = any (link.audits))
        and not exists (
          select 1 from unchained
          where unchained.space_id = a.space_id and unchained.environment = a.environment and audit_id = a.id)`,
  },
]
