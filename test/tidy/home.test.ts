import assert from 'node:assert/strict'
import { test } from 'node:test'
import { misplacedStatements } from './home.ts'

const home = new Set(['users', 'spaces'])
const issuesOf = (text: string) =>
  misplacedStatements([{ path: 'a-store.ts', text, isTest: false }], home).map((issue) =>
    issue.replace(/^a-store.ts:\d+ /, ''),
  )

test('a statement that writes or locks a table of home needs a transaction at home', () => {
  assert.deepEqual(issuesOf('f = (tx: HomeTx) => tx.run(sql`insert into users (id) values (1)`)'), [])
  assert.deepEqual(issuesOf('f = (tx: Tx) => tx.run(sql`update users set id = 1`)'), [
    'writes or locks users, but not in a HomeTx',
  ])
  assert.deepEqual(issuesOf('f = (tx: AnyTx) => tx.run(sql`delete from users`)'), [
    'writes or locks users, but not in a HomeTx',
  ])
  assert.deepEqual(issuesOf('f = () => sql`insert into users (id) values (1)`'), [
    'writes or locks users, but not in a HomeTx',
  ])
  assert.deepEqual(issuesOf('f = (tx: Tx) => tx.query(sql`select id from spaces for no key update`)'), [
    'writes or locks spaces, but not in a HomeTx',
  ])
  assert.deepEqual(issuesOf("users = table('users', ['id'], { id: uuid })"), [
    'describes a table of home, whose rows could be written in a cell',
  ])
})

test('a transaction at home writes and locks no table of a cell', () => {
  assert.deepEqual(issuesOf('f = (tx: HomeTx) => tx.run(sql`insert into payments (id) values (1)`)'), [
    'writes or locks payments, which is not a table of home, in a HomeTx',
  ])
  assert.deepEqual(issuesOf('f = (tx: AnyTx) => tx.run(sql`insert into jobs (id) values (1)`)'), [])
})

test('only the nearest transaction counts, and everybody may read', () => {
  const cell = 'g = (tx: Tx) => tx.run(sql`insert into payments (id) values (1)`)'
  assert.deepEqual(issuesOf(`f = (tx: HomeTx) => tx.run(sql\`delete from users\`)\n${cell}`), [])
  assert.deepEqual(issuesOf('f = (tx: Tx) => tx.query(sql`select id from users`)'), [])
})
