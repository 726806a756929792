import { type Sql, sql } from '../../platform/db/sql.ts'

// When a month is archived, links lose seals and audit entries, so their digests can no longer be computed. A digest of
// what is left takes their place. It covers a hundred links, so that there are few of them.

const linksTogether = 100

/** The number of the first link of the hundred to which a link belongs. */
export const firstOfLinks = (number: Sql): Sql =>
  sql`((${number} - 1) / ${linksTogether}::bigint * ${linksTogether}::bigint + 1)`

/** The number of the last link of the hundred that begins with this one. */
export const lastOfLinks = (first: Sql): Sql => sql`(${first} + ${linksTogether - 1}::bigint)`

/** True if a month was archived in which the hundred links to which row `link` belongs had seals or audit entries. */
export const isPartlyArchived = (link: Sql): Sql => sql`
  exists (
    select 1 from archived_links archived
    where archived.space_id = ${link}.space_id and archived.environment = ${link}.environment
      and archived.number_from = ${firstOfLinks(sql`${link}.number`)} and archived.number_to >= ${link}.number)`

/**
 * The digest of the seals and audit entries that belong to the links of row `of`, from `number_from` to `number_to`.
 * It is null if there are none.
 */
export const linksDigest = (of: Sql, seals: Sql, entries: Sql): Sql => sql`
  (
    -- every space: limited to the Space of the row
    select digest_of(nullif(concat_ws(e'\\n', (
      select string_agg(row(seal.number, seal.object_id, seal.object_type, seal.terms, seal.outcome)::text, e'\\n'
        order by seal.number, seal.object_id)
      from ${seals} seal
      where seal.space_id = ${of}.space_id and seal.environment = ${of}.environment
        and seal.number between ${of}.number_from and ${of}.number_to
    ), (
      select string_agg(row(entry.id, entry.at, entry.actor, entry.action, entry.object_type, entry.object_id, entry.reason,
        entry.details)::text, e'\\n' order by entry.id)
      from book_links link
      cross join lateral unnest(link.audits) as audit (id)
      cross join lateral (
        select * from ${entries} entry
        where entry.space_id = link.space_id and entry.environment = link.environment and entry.id = audit.id offset 0
      ) entry
      where link.space_id = ${of}.space_id and link.environment = ${of}.environment
        and link.number between ${of}.number_from and ${of}.number_to
    )), ''))
  )`
