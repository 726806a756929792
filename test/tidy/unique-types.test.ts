import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sourceOf } from './sources.ts'
import { sharedTypeNames } from './unique-types.ts'

const declaring = (...lines: string[]) =>
  sharedTypeNames(lines.map((line, i) => sourceOf(`packages/server/src/slice-${i}/store.ts`, `\n${line}\n`)))

for (const [one, other] of [
  ['export type Session = { id: string }', 'export type Session = { number: string }'],
  ['export interface Session {}', 'export class Session {}'],
  ['export type Session<Row> = Row[]', 'export abstract class Session<Row> extends Base<Row> {}'],
] as const)
  test(`two files may not declare: ${one} ‖ ${other}`, () => {
    assert.deepEqual(declaring(one, 'export type Other = 1', other), [
      'Session: packages/server/src/slice-0/store.ts:2, packages/server/src/slice-2/store.ts:2',
    ])
  })

for (const line of [
  'type Session = { id: string }',
  "export type { Session } from './sessions.ts'",
  "export { type Session, find } from './sessions.ts'",
  'export type SessionKey = string',
  'export const Session = 1',
  '// export type Session = 1',
])
  test(`another file may contain: ${line}`, () => {
    assert.deepEqual(declaring('export type Session = { id: string }', line), [])
  })
