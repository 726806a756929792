import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSeals } from '../../seals.ts'
import { type CursorBinding, openCursor, sealCursor } from './cursor.ts'

const seals = createSeals('a secret that is long enough for seals')
const binding: CursorBinding = {
  spaceId: 'space',
  environment: 'test',
  url: '/v1/payouts',
  filters: { status: 'failed', reference: 'a' },
}

const queries: [what: string, asked: Partial<CursorBinding>, isGood: boolean][] = [
  ['the same query', {}, true],
  ['its filters in another order', { filters: { reference: 'a', status: 'failed' } }, true],
  ['another Space', { spaceId: 'other' }, false],
  ['another environment', { environment: 'live' }, false],
  ['another list', { url: '/v1/payments' }, false],
  ['another filter', { filters: { status: 'pending', reference: 'a' } }, false],
  ['one filter fewer', { filters: { status: 'failed' } }, false],
  ['no filter', { filters: {} }, false],
]

for (const [what, asked, isGood] of queries)
  test(`a cursor is ${isGood ? '' : 'not '}valid for ${what}`, () => {
    const cursor = sealCursor(seals, binding, 'position')
    const open = () => openCursor(seals, { ...binding, ...asked }, cursor)
    if (isGood) assert.equal(open(), 'position')
    else assert.throws(open, { reason: 'cursor_invalid' })
  })

const good = sealCursor(seals, binding, 'position')
const texts: [what: string, cursor: string][] = [
  ['nothing', ''],
  ['a text', 'position'],
  ['a cursor cut short', good.slice(0, -1)],
  ['a cursor with extra characters', `${good}A`],
  ['a seal for something else', seals.seal('cursor', 'position')],
  ['a seal for another purpose', seals.seal('return-state', 'position')],
  [
    'a cursor sealed with another secret',
    sealCursor(createSeals('another secret, as long as the first'), binding, 'x'),
  ],
]

for (const [what, cursor] of texts)
  test(`${what} is not a cursor`, () => {
    assert.throws(() => openCursor(seals, binding, cursor), { reason: 'cursor_invalid' })
  })
