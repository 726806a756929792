import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sourceOf } from './sources.ts'
import { definitionsOf, describedIn, type Ownership, ownerIssues, sqlOrderIssues } from './sql-order.ts'
import { statementsOf } from './statements.ts'

const ownership: Ownership = {
  order: ['platform', 'ledger', 'payments', 'cli'],
  ownedTables: { platform: ['keys'], ledger: ['ledger_lines', 'marks'], payments: ['payments'] },
  ownedFunctions: { ledger: ['ledger_post'], payments: ['payment_terms'] },
  objectTypes: { payments: ['payment'] },
  otherWriters: { 'payments writes marks': 'it removes its own marks' },
}

/** Returns the faults found in a file of a slice. In `code`, an interpolation begins with `@{`. */
function issuesIn(slice: string, code: string): string[] {
  const source = sourceOf(`packages/server/src/${slice}/store.ts`, code.replaceAll('@{', '${'))
  return sqlOrderIssues(
    [...statementsOf(source), ...describedIn(source)].map((one) => ({ ...one, slice })),
    ownership,
  )
}

describe('a statement may not', () => {
  for (const [what, slice, text, fault] of [
    [
      'read a table of a later slice',
      'ledger',
      'sql`\n  select 1 from ledger_lines\n  join payments on true`',
      'packages/server/src/ledger/store.ts:1 names payments of payments, which comes after ledger',
    ],
    [
      'contain a fragment that names one',
      'ledger',
      'const table = 1\nalong(sql`payments`, sql`id`)',
      'packages/server/src/ledger/store.ts:2 names payments of payments, which comes after ledger',
    ],
    [
      'contain one in a nested fragment',
      'ledger',
      'sql`select 1 from ledger_lines @{isOpen ? sql`where exists (select 1 from payments)` : sql``}`',
      'packages/server/src/ledger/store.ts:1 names payments of payments, which comes after ledger',
    ],
    [
      'name one in a literal',
      'platform',
      "sql`select reltuples from pg_class where oid = 'payments'::regclass`",
      'packages/server/src/platform/store.ts:1 names payments of payments, which comes after platform',
    ],
    [
      'call a function of a later slice',
      'platform',
      'sql`select ledger_post(@{amounts})`',
      'packages/server/src/platform/store.ts:1 names ledger_post of ledger, which comes after platform',
    ],
    [
      'distinguish objects of a later slice by their type',
      'ledger',
      "sql`select case owner ->> 'type' when 'payment' then 1 end from ledger_lines`",
      "packages/server/src/ledger/store.ts:1 names 'payment' of payments, which comes after ledger",
    ],
    [
      'write a table of an earlier slice',
      'payments',
      'sql`with gone as (delete from keys) insert into payments (id) values (1)`',
      'packages/server/src/payments/store.ts:1 writes keys, which belongs to platform',
    ],
    [
      'describe, and so write, a table of an earlier slice',
      'payments',
      "const keys = table(\n  'keys', ['id'], {})",
      'packages/server/src/payments/store.ts:1 writes keys, which belongs to platform',
    ],
    [
      'write any table from a slice without tables',
      'cli',
      'sql`update ledger_lines set amount = 1`',
      'packages/server/src/cli/store.ts:1 writes ledger_lines, which belongs to ledger',
    ],
  ] as const)
    test(what, () => assert.deepEqual(issuesIn(slice, text), [fault]))
})

describe('a statement may', () => {
  for (const [what, slice, text] of [
    ['read and write tables of its own slice', 'ledger', 'sql`update ledger_lines set amount = 1`'],
    [
      'read tables and call functions of earlier slices',
      'payments',
      'sql`select ledger_post(1) from keys, ledger_lines`',
    ],
    ['write a table for which there is an exception', 'payments', 'sql`delete from marks`'],
    [
      'lock rows of an earlier slice',
      'payments',
      'sql`select 1 from ledger_lines for no key update offset 0`',
    ],
    [
      'have a column with the name of a later slice’s table',
      'platform',
      'sql`select keys.payments, ledger_post from keys`',
    ],
    ['name a later slice in a comment', 'ledger', 'sql`\n  -- for payments\n  select 1 from ledger_lines`'],
    ['contain a fragment passed in from elsewhere', 'ledger', 'sql`select 1 from @{table}`'],
  ] as const)
    test(what, () => assert.deepEqual(issuesIn(slice, text), []))
})

test('definitions in packages/server/schema.sql are found with their bodies, foreign keys and triggers', () => {
  const text = `
create table keys (
  id uuid not null
);
CREATE UNIQUE INDEX keys_id ON public.keys USING btree (id);

create table ledger_lines_0 partition of ledger_lines FOR VALUES FROM ('0') TO ('1');

alter table ledger_lines add constraint paid FOREIGN KEY (id) REFERENCES payments(id);

CREATE OR REPLACE FUNCTION public.ledger_post(id uuid)
 RETURNS void
AS $function$
begin
  insert into ledger_lines (id) values (1);
  perform payment_terms(p) from payments p;
end $function$;

CREATE TRIGGER marks_stay BEFORE DELETE ON public.marks FOR EACH STATEMENT EXECUTE FUNCTION payment_terms();
`
  const found = definitionsOf(sourceOf('packages/server/schema.sql', text))
  assert.deepEqual(
    found.map(({ at, name, isFunction }) => [at, name, isFunction]),
    [
      ['packages/server/schema.sql:11', 'ledger_post', true],
      ['packages/server/schema.sql:2', 'keys', false],
      ['packages/server/schema.sql:5', 'keys', false],
      ['packages/server/schema.sql:9', 'ledger_lines', false],
      ['packages/server/schema.sql:19', 'marks', false],
    ],
  )
  const issues = sqlOrderIssues(
    found.map((one) => ({ ...one, slice: one.name === 'keys' ? 'platform' : 'ledger' })),
    ownership,
  )
  assert.deepEqual(issues, [
    'packages/server/schema.sql:11 names payments of payments, which comes after ledger',
    'packages/server/schema.sql:11 names payment_terms of payments, which comes after ledger',
    'packages/server/schema.sql:9 names payments of payments, which comes after ledger',
    'packages/server/schema.sql:19 names payment_terms of payments, which comes after ledger',
  ])
})

test('definitions without a slice are reported, and so are owned names without a definition', () => {
  const issues = ownerIssues([
    { at: 'packages/server/schema.sql:1', name: 'invoices', isFunction: false, sql: '' },
  ])
  assert.equal(issues[0], 'packages/server/schema.sql:1 invoices belongs to no slice')
  assert.ok(issues.includes('ledger_lines is not defined, but a slice owns it'))
})
