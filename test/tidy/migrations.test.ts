import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ownMigrations, readMigration } from '../../packages/server/src/platform/db/migrate.ts'
import { brokenRules } from './migrations.ts'

/** The first migration that was written for these rules. */
const firstVersion = 16

const rulesBrokenBy = (text: string) => brokenRules(readMigration(firstVersion, text))

test('migrations leave in place what the previous release needs, and do not block nodes', () => {
  for (const migration of ownMigrations().filter(({ version }) => version >= firstVersion))
    assert.deepEqual(brokenRules(migration), [], migration.name)
})

test('removals are refused unless the oldest release is declared', () => {
  for (const text of [
    'drop table brands;',
    'alter table brands drop column color;',
    'alter table brands rename to looks;',
    'alter table brands rename column color to tint;',
    'alter table payments alter column amount type numeric;',
    'alter table brands alter column color set not null;',
    'alter table payments alter column created_at drop default;',
    'alter table brands add column a text, add column b text not null;',
    'drop function payment_terms(payments);\ncreate function payment_terms(p payments, q int) returns text;',
  ]) {
    assert.equal(rulesBrokenBy(text).length, 1, text)
    assert.deepEqual(rulesBrokenBy(`-- oldest release: 0015\n${text}`), [], text)
  }
})

test('scans and rewrites of tables that nodes use are refused unless the table is small', () => {
  for (const text of [
    'create unique index brands_color on brands (color);',
    'drop index payments_status;',
    'alter table brands add constraint c check (color is not null);',
    'alter table payments add constraint o foreign key (order_id) references orders (id);',
    'alter table brands add constraint u unique (color);',
    "alter table brands add column c text check (c in ('a'));",
    'alter table brands add column c uuid default gen_random_uuid();',
    'alter table brands add column c text generated always as (color) stored;',
    'alter table brands validate constraint c;',
    'lock table payments;',
  ]) {
    assert.equal(rulesBrokenBy(text).length, 1, text)
    assert.deepEqual(rulesBrokenBy(`-- may block: one row per Space\n${text}`), [], text)
  }
})

test('migrations without a transaction contain only statements that can be repeated', () => {
  const header = '-- no transaction\n'
  assert.deepEqual(
    rulesBrokenBy(`${header}create index concurrently if not exists a on brands (color);
      alter table brands validate constraint c;\ndrop index concurrently if exists b;\n`),
    [],
  )
  for (const text of ['create index concurrently a on brands (color);', "insert into brands values ('a');"])
    assert.equal(rulesBrokenBy(header + text).length, 1, text)
})

test('additions are allowed', () => {
  assert.deepEqual(
    rulesBrokenBy(`
      -- A table of its own may have anything. drop table x;
      create table colours (id uuid primary key, name text not null check (name <> ''));
      create index colours_name on colours (name);
      alter table colours add constraint c check (id is not null);
      alter table brands add column tint text, add column is_dark boolean not null default false;
      alter table brands add constraint tints check (tint <> '') not valid;
      alter table sign_in_attempts drop constraint sign_in_attempts_method_check;
      create or replace function f() returns void language sql as $$ delete from brands; drop table a $$;`),
    [],
  )
})
