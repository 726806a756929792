import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sourceOf } from './sources.ts'
import { foreignKeysAcrossSpaces, keysWithoutScope } from './tables.ts'

const migrations = [
  sourceOf(
    'packages/server/migrations/0001-payouts.sql',
    'create table a (id uuid);\ncreate table payouts (\n  id uuid);\n',
  ),
]
const at = 'packages/server/migrations/0001-payouts.sql:2'

const primary: [table: string, columns: string[], isFault: boolean][] = [
  ['payouts', ['space_id', 'environment', 'id'], false],
  ['payouts', ['id'], true],
  ['payouts', ['id', 'space_id', 'environment'], true],
  ['payouts', ['space_id', 'id', 'environment'], true],
  ['payouts', [], true],
  // This table belongs to no Space.
  ['tokens', ['id'], false],
]

for (const [name, columns, isFault] of primary)
  test(`${name} ${isFault ? 'may not have' : 'may have'} the primary key (${columns.join(', ')})`, () => {
    const expected = isFault ? [`${at} payouts has the key (${columns.join(', ')})`] : []
    assert.deepEqual(keysWithoutScope([{ name, columns }], migrations), expected)
  })

const foreign: [table: string, definition: string, isFault: boolean][] = [
  [
    'payouts',
    'FOREIGN KEY (space_id, environment, hold_id) REFERENCES holds(space_id, environment, id)',
    false,
  ],
  ['payouts', 'FOREIGN KEY (hold_id) REFERENCES holds(id)', true],
  ['payouts', 'FOREIGN KEY (space_id, hold_id) REFERENCES holds(space_id, id)', true],
  ['members', 'FOREIGN KEY (space_id) REFERENCES spaces(id)', false],
]

for (const [name, definition, isFault] of foreign)
  test(`${name} ${isFault ? 'may not have' : 'may have'} the ${definition}`, () => {
    const expected = isFault ? [`${at} payouts: ${definition}`] : []
    assert.deepEqual(foreignKeysAcrossSpaces([{ name, definition }], migrations), expected)
  })

test('a table is reported even if no migration creates it under that name', () => {
  assert.deepEqual(keysWithoutScope([{ name: 'holds', columns: ['id'] }], migrations), [
    'migrations:1 holds has the key (id)',
  ])
})
